"""German phrases."""

from __future__ import annotations

from collections.abc import Mapping

_QUEUE = r"(?:die |der |unsere |unserer |meine |meiner )?(?:(?:aufgaben|task|job|modell)-?)?(?:warteschlange|queue)"
_DONE = r"(?:fertig|erledigt|durch|abgeschlossen|beendet|gemacht|da|vorhanden|gelaufen|bereit)"
_FAILS = (
    r"(?:fehlschlägt|scheitert|schiefgeht|schief geht|misslingt|nicht klappt|nicht funktioniert|fehlgeschlagen ist|abbricht|"
    r"gescheitert ist|fehler hat|nicht gelingt)"
)
_DAY = (
    r"(?P<day>heute|morgen|übermorgen|(?:am |nächsten |kommenden )?(?:montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|"
    r"sonntag))"
)
_PART = r"(?P<part>früh|vormittag|mittag|nachmittag|abend|nacht)"
_CLOCK = r"(?P<clock>\d{1,2}:\d\d(?: uhr)?|\d{1,2}(?:\.\d\d)? uhr(?: \d\d)?)"
_DAY_HEADS = "heute|morgen|übermorgen|am|nächsten|kommenden|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonnabend|sonntag"
_YOU = r"(?:du|sie|ihr)"
_STATE = r"(?P<word>fertig|fehlgeschlagen|gescheitert|blockiert|pausiert|wartend|laufend|offen|abgebrochen|übersprungen|erledigt)"

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "sign_off": {
        "close": (
            r"(?:viele grüße|liebe grüße|beste grüße|mit freundlichen grüßen|freundliche grüße|mfg|gruß|grüße)",
        )
    },
    "attachment": {
        "intro": (
            (
                r"(?:dieser|diese|diesen|dieses|folgender|folgende|folgenden|folgendes|der|die|den|das|nachfolgende|nachfolgenden) "
                r"(?:[a-zäöüß-]{1,20} ){0,2}?(?:text|texte|mail|e-mail|nachricht|log|logs|protokoll|artikel|absatz|code|brief|notizen|"
                r"seite|liste|tabelle|fehlermeldung|ausgabe|vertrag|gedicht|rezept)(?: (?:ins|auf|in|als|an|von|aus|zu) [^:\n]{1,60})?"
                r"(?: (?:zusammen|ab|aus|durch))?"
            ),
            (
                r"(?:übersetze|übersetz|fasse|korrigiere|prüfe|analysiere|erkläre|verbessere|beantworte) "
                r"(?:das|dies|folgendes|das folgende|diesen text)(?: (?:ins|auf|in) [^:\n]{1,40})?(?: zusammen)?"
            ),
        ),
    },
    "points_back": {
        "back": (
            r"(?:text|mail|log|absatz|artikel|code|brief|protokoll|nachricht|notizen) (?:oben|von oben|darüber)",
            r"(?:obigen|obige|obiger|obiges|oben stehenden|vorstehenden) [a-zäöüß-]{3,20}",
        ),
    },
    "and": {"and": (r"(?:und|aber|sowie)",)},
    "link": {
        "bare": (
            r"(?:danach|anschließend|anschliessend|daraufhin|hinterher|sodann|im anschluss daran|im anschluss)",
            r"dann=>dann(?! und wann)(?: (?:bitte|noch))?",
        ),
        "chain": (
            r"(?:schließlich|schliesslich|zuletzt|abschließend|zum schluss|zum abschluss|am ende|als nächstes|als letztes|im nächsten schritt)",
            rf"(?:sobald|wenn|nachdem) (?:das|dies|es|alles davon|du damit) {_DONE}(?: (?:ist|bist|wurde))?",
            r"(?:basierend darauf|darauf basierend|auf dieser grundlage|auf dieser basis|darauf aufbauend|auf basis dessen|auf basis davon|daraus)",
            r"(?:mit|aus) (?:dem|den|diesem|diesen) (?:ergebnis|ergebnissen|resultat)(?: heraus)?",
            r"(?:ist das|wenn) (?:erledigt|fertig|geschafft)",
            r"nach|nachdem=>nach(?:dem)? (?:abschluss|erledigung)(?: davon)?",
        ),
        "also": (
            (
                r"(?:außerdem|ausserdem|zusätzlich|ferner|des weiteren|zudem|darüber hinaus|nebenbei|separat|unabhängig davon|parallel dazu|"
                r"gleichzeitig|ebenso|weiterhin)"
            ),
            r"auch noch|und noch etwas",
        ),
        "first": (r"(?:zuerst|zunächst|als erstes|erst|erstmal)",),
    },
    "ordinal": {
        "1": (r"(?:erstens)",),
        "2": (r"(?:zweitens)",),
        "3": (r"(?:drittens)",),
        "4": (r"(?:viertens)",),
        "5": (r"(?:fünftens)",),
    },
    "fan_in": {
        "all": (
            (
                rf"(?:wenn|sobald|nachdem) (?:alle|alles|beide|beides|die beiden|all das|alle drei|alle zwei)(?: (?:aufgaben|schritte|teile|ergebnisse))?"
                rf" {_DONE}(?: (?:ist|sind|wurden))?"
            ),
            r"(?:basierend auf|auf basis von|auf grundlage von|aus|mit) (?:allen|allem|beiden|den beiden)(?: (?:ergebnissen|teilen|aufgaben))?(?=,|$)",
        ),
        "named": (
            (
                rf"(?:nach|wenn|sobald|basierend auf|hängt ab von|abhängig von) (?P<names>(?:(?:aufgabe|schritt|punkt|nummer) )?\d{{1,2}}"
                rf"(?: ?(?:,|und) ?\d{{1,2}}){{0,9}})(?: {_DONE}(?: (?:ist|sind))?)?(?=[,:)\].]| |$)"
            ),
        ),
        "keep": (
            (
                r"(?:fasse|führe|fass|führ|füge|vergleiche|kombiniere) (?:alle|alles|beide|beides|die beiden|die ergebnisse|alle ergebnisse)"
                r"(?: [a-zäöüß-]{1,20}){0,4} ?(?:zusammen)?"
            ),
            r"(?:alle|beide) (?:ergebnisse|texte|teile|berichte) (?:zusammenfassen|zusammenführen|kombinieren|vergleichen)",
        ),
    },
    "depends": {
        "ids": (
            rf"(?:nach|sobald|wenn|nachdem) (?:aufgabe |task )?(?P<ids>{{ids}})(?: {_DONE}(?: (?:ist|sind|wurde))?)?",
            r"(?:hängt ab von|hängt von|abhängig von|basierend auf|wartet auf|braucht|benötigt) (?P<ids>{ids})(?: ab)?",
        ),
    },
    "policy": {
        "continue": (
            rf"(?:auch|selbst|sogar) wenn [^.;\n]{{1,60}}?{_FAILS}",
            r"(?:egal ob|unabhängig davon ob|unabhängig davon, ob|ganz gleich ob) [^.;\n]{1,60}",
            r"(?:trotzdem weitermachen|auf jeden fall|in jedem fall|trotz fehler|trotz fehlern)",
            rf"(?:wenn|falls) [^.;,\n]{{1,50}}{_FAILS},? (?:dann )?(?:trotzdem )?(?:weitermachen|mach weiter|weiter)(?: trotzdem)?",
        ),
        "skip": (
            rf"(?:wenn|falls|sollte) [^.;,\n]{{1,50}}{_FAILS},? (?:dann )?(?:bitte )?(?:überspringe?n?|lass|auslassen|weglassen)[^.;\n]{{0,30}}",
            rf"lass|überspring|überspringe=>(?:überspringe?|lass) (?:es|das|diese|diesen schritt|den schritt)[^.;\n]{{0,20}},? (?:wenn|falls) [^.;\n]{{1,50}}{_FAILS}",
            r"bei fehler überspringen",
        ),
        "block": (
            r"(?:nur|aber nur) (?:wenn|falls) [^.;\n]{1,50}(?:klappt|gelingt|erfolgreich ist|funktioniert|geklappt hat)",
        ),
    },
    "priority": {
        "10": (
            r"(?:dringend|eilig|eilt|sehr dringend|sofort|höchste priorität|so schnell wie möglich|schnellstmöglich|kritisch)",
            r"(?:das|es) (?:ist dringend|eilt|ist eilig|ist sehr dringend)",
        ),
        "5": (
            r"(?:hohe priorität|mit hoher priorität|priorität hoch|wichtig|prio 1|priorität: hoch)",
        ),
        "0": (r"(?:normale priorität|mit normaler priorität|priorität normal)",),
        "-5": (
            (
                r"(?:niedrige priorität|mit niedriger priorität|geringe priorität|priorität niedrig|nicht dringend|eilt nicht|keine eile|"
                r"hat zeit|wenn du zeit hast|bei gelegenheit|das eilt nicht|es eilt nicht|ist nicht eilig)"
            ),
        ),
        "number": (
            r"mit|priorität=>(?:mit )?priorität(?: auf|:|=)? ?(?P<n>-?\d{1,3})(?![\d.])",
        ),
    },
    "time": {
        "delay": (
            r"in (?P<n>{num}|einer|einem|zwei|drei|vier|fünf|sechs|acht|zehn|zwölf|zwanzig|dreißig) (?P<unit>sekunden?|minuten?|stunden?|tage?n?|wochen?)",
            r"in einer (?P<unit>halben) stunde",
        ),
        "day": (
            rf"{_DAY_HEADS}=>{_DAY}(?: {_PART})?(?:,? (?:um |gegen |ab )?{_CLOCK})?",
            rf"(?:um|ab|gegen) {_CLOCK}(?: {_DAY})?",
            r"heute=>(?P<day>heute) (?P<part>abend|nacht)",
            r"(?:nächste|kommende) (?P<day>woche)",
        ),
    },
    "time_word": {
        "today": (r"heute",),
        "tomorrow": (r"morgen",),
        "day_after_tomorrow": (r"übermorgen",),
        "monday": (r"montag",),
        "tuesday": (r"dienstag",),
        "wednesday": (r"mittwoch",),
        "thursday": (r"donnerstag",),
        "friday": (r"freitag",),
        "saturday": (r"samstag|sonnabend",),
        "sunday": (r"sonntag",),
        "week": (r"woche|wochen",),
        "morning": (r"früh|vormittag",),
        "noon": (r"mittag",),
        "afternoon": (r"nachmittag",),
        "evening": (r"abend",),
        "night": (r"nacht",),
        "second": (r"sekunde|sekunden",),
        "minute": (r"minute|minuten",),
        "hour": (r"stunde|stunden",),
        "day": (r"tag|tage|tagen",),
        "1": (r"einer|einem",),
        "2": (r"zwei",),
        "3": (r"drei",),
        "4": (r"vier",),
        "5": (r"fünf",),
        "6": (r"sechs",),
        "8": (r"acht",),
        "10": (r"zehn",),
        "12": (r"zwölf",),
        "20": (r"zwanzig",),
        "30": (r"dreißig",),
    },
    "polite": {
        "please": (
            r"(?:bitte|bitte einmal|bitte mal|sei so gut und|sei so nett und|seien sie so gut und)",
            rf"(?:kannst|könntest|könnten|können|würdest|würden|könnt|magst) {_YOU}(?: (?:mir|uns))?(?: (?:bitte|mal|vielleicht|kurz|eben))*",
            r"(?:ich brauche|ich möchte|ich hätte gerne|ich hätte gern|ich will|wir brauchen)(?=,? )(?: dass du| von dir)?",
            r"(?:hilf mir|hilf uns)(?: (?:dabei|bitte))?",
            r"(?:du sollst|du musst|lass uns)",
        ),
        "filler": (
            r"(?:also|so|ähm|äh|ok|okay|gut|na gut|na ja|mal|jetzt|nun|kurz|eben)(?=[, ])",
        ),
    },
    "polite_tail": {
        "please": (
            r"(?:bitte|danke|vielen dank|danke dir|danke schön|danke im voraus|bitte danke|dankeschön|für mich|für uns|lg|vg)",
        ),
    },
    "greeting": {
        "hello": (
            r"(?:hallo|hi|moin|guten morgen|guten tag|guten abend|servus|hey|grüß dich|grüezi|tag)(?: (?:zusammen|allerseits|claude|team|du|ihr))?(?=[,!.:\n]|$| )",
        ),
        "thanks": (
            r"(?:danke|vielen dank|herzlichen dank|besten dank|dankeschön|tausend dank|ich danke dir|ich danke)(?: (?:dir|euch|ihnen|sehr|schön|nochmal|für die hilfe|im voraus))*(?=[,!.\n]|$)",
        ),
        "ack": (
            (
                r"(?:ja|nein|gut|super|toll|prima|klasse|passt|alles klar|okay|genau|stimmt|gern|gerne|kein problem|bis morgen|bis später|"
                r"tschüss|auf wiedersehen|schönes wochenende|schönen tag|schönen abend|gute nacht|verstanden|perfekt|wie geht's|wie geht es dir)"
                r"(?: (?:noch|dir|euch))?(?=[,!.?\n]|$)"
            ),
        ),
    },
    "question": {
        "question": (
            (
                r"(?:was|wer|wie|wo|warum|wieso|weshalb|wann|welche|welcher|welches|welchen|wem|wen|woher|wohin|wie viele|wie viel|"
                r"ist|sind|war|waren|hat|haben|hast|gibt es|kann|darf|darfst|muss|soll|sollte|sollten|wird|werden|weißt du|kennst du|stimmt es)"
            ),
        ),
    },
    "statement": {
        "statement": (
            r"(?:das|der|die|dieser|diese|dieses) [a-zäöüß]{2,20} (?:ist|sind|war|waren|hat|haben|wird|kommt|läuft|geht)",
            r"(?:ich|wir|er|es|das ist|das war|heute ist|gestern|leider|mir|uns|schade|eigentlich|vielleicht|man|ihr|die meisten)",
            r"bitte|kein|keine|nicht|niemals=>(?:bitte )?(?:nicht|niemals|kein|keine)",
        ),
    },
    "trigger": {
        "task": (
            r"(?:neue aufgabe|neue aufgaben|neuer task|neuer job|neuer auftrag|aufgabe|aufgaben|auftrag|todo)(?= ?[:\n-])",
            r"(?:aufgabe|task|job) (?:hinzufügen|anlegen|einreihen|erstellen)(?= ?[:\n-]|$)",
            rf"(?:füge|leg|lege|erstelle|stell|stelle|pack|packe) (?:bitte )?(?:eine |einen |diese |folgende )?(?:neue |neuen )?(?:aufgabe|task|aufgaben|job|auftrag)(?: (?:hinzu|an|ein))?(?: (?:in|zur|zu) {_QUEUE})?(?: hinzu)?(?= ?[:\n-]| |$)",
        ),
        "queue": (
            rf"(?:in|auf) {_QUEUE}(?: damit)?(?= ?[:\n])",
            rf"(?:stell|stelle|pack|packe|setz|setze|leg|lege|nimm|reihe|reih) (?:das|dies|folgendes|es|diese|bitte)(?: bitte)? (?:in|auf) {_QUEUE}(?: ein)?(?= ?[:\n,-]| |$)",
            r"(?:einreihen|reihe ein|reihe das ein|reihe folgendes ein)(?= ?[:\n])",
        ),
    },
    "trigger_tail": {
        "queue": (
            rf"leg|lege|pack|packe|reih|reihe|setz|setze|stell|stelle|und=>(?:und )?(?:stell|stelle|pack|packe|setz|setze|leg|lege|reihe|reih) (?:das|dies|es|sie)(?: bitte)? (?:in|auf) {_QUEUE}(?: ein)?",
            r"reih|reihe|und=>(?:und )?(?:reihe|reih) (?:das|es) ein",
        ),
    },
    "courtesy": {
        "polite": (
            r"(?:bitte|ok|so|und|noch)(?=[, ])",
            rf"(?:kannst|könntest|könnten|würdest) {_YOU}(?: bitte)?",
        ),
    },
    "ambient_trigger": {
        "task": (
            r"(?:neue aufgabe|neue aufgaben|neuer task|neuer job|neuer auftrag|aufgabe hinzufügen|aufgabe anlegen)(?= ?[:\n])",
            r"(?:füge|leg|lege|erstelle) (?:bitte )?(?:eine |folgende )?(?:neue )?aufgaben?(?: (?:hinzu|an))?(?= ?[:\n])",
        ),
        "queue": (
            rf"(?:in|auf) {_QUEUE} (?:stellen|packen|setzen|legen|aufnehmen|einreihen)(?= ?[:\n])",
            rf"(?:stell|stelle|pack|packe|setz|setze|leg|lege|reihe|reih|nimm) (?:das|dies|folgendes|diese aufgabe|bitte folgendes)(?: bitte)? (?:in|auf) {_QUEUE}(?: ein)?(?= ?[:\n])",
            rf"(?:in|auf) {_QUEUE}(?= ?[:\n])",
        ),
    },
    "ambient_tail": {
        "clause": (
            rf"und=>und (?:stell|stelle|pack|packe|setz|setze|leg|lege) (?:das|dies|es)(?: bitte)? (?:in|auf) {_QUEUE}",
        ),
    },
    "announce": {
        "jobs": (
            r"aufgabe|aufgaben|das|die|diese|dinge|folgende|folgendes|liste|sachen|todo|todos|zu=>(?:aufgaben|aufgabe|todos?|liste|folgendes|folgende aufgaben|die folgenden aufgaben|zu erledigen|zu tun|dinge|sachen|das|diese)",
        ),
    },
    "jobs_heading": {
        "jobs": (
            r"anfallende|aufgaben|aufgabenliste|aufträge|folgendes|punkte|sachen|to|todo|todos|zu=>(?:aufgaben|aufgabenliste|todos?|to-dos?|to-do-liste|folgendes|zu erledigen|zu tun|sachen|punkte|anfallende arbeiten|aufträge)",
            r"(?:folgende|diese|drei|zwei|vier|mehrere|ein paar) (?:aufgaben|dinge|sachen|punkte|jobs|aufträge|schritte)",
        ),
    },
    "in_order": {
        "order": (
            r"(?:der reihe nach|nacheinander|in dieser reihenfolge|in der reihenfolge|in folgender reihenfolge|schritt für schritt|eins nach dem anderen)",
        ),
    },
    "in_parallel": {
        "parallel": (
            r"(?:parallel|gleichzeitig|unabhängig voneinander|in beliebiger reihenfolge)",
        )
    },
    "select": {
        "use": (
            r"(?:mit|nutze|nutz|verwende|verwend|benutze|benutz|nimm|per|über|via|mithilfe von|mit hilfe von|durch|mit dem modell|mit modell)",
            r"(?:nutze|verwende|benutze|nimm) (?:bitte|dafür|hierfür|dazu)",
        ),
        "agent": (r"(?:lass|lasse|bitte|frag|frage|sag)",),
        "send": (
            r"(?:schick|schicke|sende|gib|übergib|leite|delegiere)(?: (?:das|dies|es|diese|alles|folgendes))?(?: bitte)? (?:an|auf|zu)",
        ),
        "run": (
            r"(?:führe|lass|mach|mache|erledige|bearbeite|verarbeite)(?: (?:das|dies|es|alles|folgendes))?(?: bitte)? (?:auf|mit|über|in|via)(?: (?:laufen|aus))?",
        ),
        "on": (r"(?:auf|in der|in|bei|im)",),
    },
    "select_for": {
        "for": (r"(?:um|für|zum|zur|dafür|hierfür|bitte|dazu|und|aus)(?= |$)",)
    },
    "content_verb": {
        "content": (
            r"(?:vergleich|vergleiche|vergleichen|ersetze|teste|installiere|konfiguriere|bewerte)",
        )
    },
    "scope_word": {
        "word": (
            (
                r"(?:alle|alles|beide|beides|jeweils|bitte|mit|auf|in|der|die|das|dem|den|für|und|aufgabe|aufgaben|soll|sollen|laufen|"
                r"nutze|verwende|nimm|mach|mache|erledige|erledigen|läuft|ausführen|lass|dabei|davon|modell|modelle|sind|ist|haben|hat|"
                r"werden|wird|jede|jeden|sämtliche|ganz|priorität|dringend)"
            ),
        ),
    },
    "position": {
        "at": (
            r"(?:ersten|erste|erster|zweite|zweiten|dritte|dritten|vierte|vierten|letzte|letzten)",
        ),
        "rest": (r"(?:rest|restlichen|übrigen|anderen)",),
    },
    "search": {
        "web": (
            r"(?:google|googel|googele|suche im internet|such im internet|suche im netz|such im netz|suche online|such online|schau im internet nach|recherchiere im netz)",
        ),
    },
    "remind": {
        "remind": (
            r"(?:erinnere mich|erinner mich|erinnere uns|weck mich|wecke mich|sag mir bescheid|gib mir bescheid)",
            r"(?:stell|stelle)(?: mir)?(?: bitte)? (?:einen|den) (?:wecker|timer)",
            r"(?:trag|trage)[^.\n]{1,60}(?:kalender)(?: ein)?",
        ),
    },
    "verb": {
        "cancel": (
            r"(?:abbrechen|brich|breche|abbruch|storniere|stornieren|streiche|streichen|lösche|lösch|löschen|verwirf|verwerfen|entferne|entfernen|beende|beenden|kill|brauche ich nicht mehr|nicht mehr nötig|nicht mehr gebraucht|stoppe|stopp|stoppen|annullieren|annulliere)",
        ),
        "skip": (
            r"(?:überspringe|überspring|überspringen|ueberspringe|ueberspringen|auslassen|übergehe|übergehen|weglassen|aus)",
        ),
        "retry": (
            r"(?:wiederhole|wiederhol|wiederholen|neustarten|neu starten|nochmal starten|noch mal starten|erneut starten|erneut ausführen|nochmal ausführen|nochmal versuchen|noch einmal versuchen|erneut versuchen|nochmal laufen lassen|neustart)",
        ),
        "again": (
            r"(?:nochmal|nochmals|noch mal|noch einmal|erneut|wieder|neu|von vorn|von vorne)",
        ),
        "pause": (
            r"(?:pausiere|pausier|pausieren|anhalten|halte|halt|unterbrich|unterbrechen|pause|auf eis|zurückstellen|stell|stelle zurück|aussetzen)",
        ),
        "resume": (
            r"(?:fortsetzen|setze|setz|fortfahren|weiter|weitermachen|weiterführen|fahre|weiterlaufen|fortführen)",
        ),
        "unblock": (
            r"(?:entsperre|entsperren|entblocke|entblocken|entblockiere|entblockieren|freigeben|frei|blockade aufheben|deblockiere|deblockieren|freischalten)",
        ),
        "clear": (r"(?:leere|leeren|leer|räum|räume|ausräumen)",),
        "status": (
            r"(?:status|stand|zeig|zeige|zeigen|anzeigen|liste|auflisten|fortschritt|übersicht|wie weit|wie steht|zustand|was macht|überblick)",
        ),
        "negated": (r"(?:nicht|kein|keine|niemals)",),
    },
    "priority_verb": {
        "set": (
            r"(?:setze|setz|stell|stelle|ändere|gib|priorität|priorität von|mach|mache|markiere|erhält)",
        ),
        "5": (
            r"(?:hoch|höher|hohe|hoher|erhöhe|priorisiere|priorisier|vorziehen|zieh|ziehe|wichtig|wichtiger|vor)",
        ),
        "10": (
            r"(?:dringend|höchste|ganz nach vorn|ganz nach vorne|ganz nach oben|nach ganz oben|zuerst|eilig|kritisch|nach vorne|nach oben)",
        ),
        "-5": (
            r"(?:niedrig|niedriger|niedrige|niedriger priorität|senke|herunter|runter|nach hinten|ans ende|nicht dringend|unwichtig)",
        ),
        "normal": (r"(?:normal|normale|normaler|mittel|mittlere)",),
    },
    "target": {
        "all": (
            r"(?:alles|alle aufgaben|alle tasks|alle jobs|sämtliche aufgaben|jede aufgabe|alle)",
            r"(?:alle|sämtliche|die) (?P<word>fehlgeschlagenen|gescheiterten|blockierten|pausierten|wartenden|laufenden|offenen)(?: (?:aufgaben|tasks|jobs))?",
        ),
        "queue": (
            r"aufgaben|aufgabenliste|der|die|ganze|gesamte|job|komplette|meine|modell|queue|task|unsere|warteschlange=>(?:(?:ganze |gesamte |komplette |unsere |meine |die |der )?(?:(?:aufgaben|task|job|modell)-?)?(?:warteschlange|queue|aufgabenliste))",
        ),
        "point": (
            r"(?:das|die da|diese aufgabe|die aufgabe|den job|die letzte|diese|die letzte aufgabe|den letzten)",
        ),
    },
    "filler": {
        "filler": (
            (
                r"(?:bitte|die|der|das|den|dem|aufgabe|aufgaben|task|und|mal|jetzt|sofort|doch|ab|an|fort|ein|auf|von|mit|zu|kannst|könntest|"
                r"du|mir|uns|starte|starten|start|führe|lass|laufen|mach|mache|machen|versuch|versuche|versuchen|gib|ausführen|es|sie|aus der|"
                r"danke|einmal|noch|ist|für|nach|soll|sollen|werden|zeit|vorerst|erstmal|kurz|gerade|im|in|nummer|ich|möchte|will|hinweg|raus|priorität)"
            ),
        ),
    },
    "state": {
        "state": (
            r"(?:fertig|status|stand|fortschritt|läuft|laufen|wartet|warten|blockiert|fehlgeschlagen|gescheitert|pausiert|durch|erledigt|hängt|ergebnis|schon|noch|passiert|los|steht|weit|geworden|dran|abgeschlossen)",
        ),
        "ask": (
            r"(?:wie|was|ist|sind|wann|wo|welche|hat|gibt|zeig|zeige|mir|läuft|wird|kommt|der|die|von|bei|mit|es)",
        ),
        "explain": (r"(?:warum|wieso|weshalb|woran)",),
    },
    "status_whole": {
        "status": (
            r"(?:zeig|zeige|zeig mir|zeige mir|liste)(?: bitte)?(?: mir)? (?:die |den |alle |meine |unsere )?(?:warteschlange|queue|aufgaben|aufgabenliste|status der warteschlange|status|offenen aufgaben|laufenden aufgaben|aufgaben auf)",
            (
                r"(?:was|welche aufgaben|welche|was alles)(?: davon)? (?:läuft|laufen|wartet|warten|ist|sind|steht|hängt|stehen)(?: (?:gerade|noch|jetzt|in der warteschlange|in der queue|an|alles|aktuell))*"
                rf"(?: {_STATE})?"
            ),
            r"(?:status der warteschlange|status der queue|warteschlangenstatus|queue-status|stand der aufgaben|stand der dinge|wie ist der stand|wie weit sind wir|wie sieht die warteschlange aus|wie ist der status|aufgabenstatus)",
            r"wie viele|wie=>wie viele (?:aufgaben|tasks|jobs) (?:sind|laufen|warten|stehen)(?: (?:noch|gerade|offen|fertig|blockiert|in der warteschlange|übrig))*",
        ),
    },
}
