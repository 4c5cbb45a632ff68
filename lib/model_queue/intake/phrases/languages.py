"""Which languages besides English and Chinese a message is written in."""

from __future__ import annotations

import re

ALWAYS = ("en", "zh")
"""Languages that ordinary messages mix."""
_GERMAN_WORDS = """
aabbruch abgeschlossen alle allem alles als anfallende anhalten annulliere annullieren anschliessend anschließend
anzeigen arbeiten auch auf aufbauend aufgabe aufgaben aufgabenliste aufgabenstatus aufheben auflisten aus auslassen
ausserdem aussetzen außerdem basierend bbrechen beende beenden bei beide beiden beides benutz benutze besten bitte
blockade breche brich danach dank danke dann darauf daraufhin daraus darf darfst das davon dazu deblockiere
deblockieren dem den der des dich die dienstag diese donnerstag dringend drittens du durch ebenso eigentlich eilig
eilt ein eine einem einen einer eines einreihen entblocke entblocken entblockiere entblockieren entferne entfernen
entsperre entsperren erinner erinnere erledigt erneut erst erste erstelle ersten erstens erstes erstmal fahre fange
fasse fehler fehlern ferner fertig folgendes fortfahren fortschritt fortsetzen frage frei freigeben freischalten
freitag fällt führe für genau gerade gern gerne gestern gib gibt gleichzeitig googel googele gute guten haben halt
halte hast herunter herzlichen heute hinterher hohe hoher hätte ich ihr ihre im immer ins ist jedem jetzt kann kannst
kein keine kennst klasse kritisch könnte könnten könntest lass lasse leere leeren leider letzte letztes liste lokal
lokale lokalen lösche mach mache macht markiere meine meisten mich mir mit mittel mittlere mittwoch modell moin morgen
muss musst möchte nach nachdem nacheinander nacht nebenbei nein neu neue neuen neustart neustarten nicht niedrig
niedrige niedriger niemals nimm noch nochmal nochmals normale normaler nun nur nutz nutze oder ohne parallel passt
pausier pausiere pausieren perfekt priorisier priorisiere priorität prüfe punkte reihenfolge runter sachen sag samstag
schade schicke schliesslich schließlich schreib schreibe sehr senke separat servus setz setze sie sind sobald sodann
sofort soll sollst sollte sollten sonnabend sowie status stell stelle stimmt stopp stoppe stoppen storniere stornieren
streiche streichen stunden suche tag tausend toll trotz trotzdem ueberspringe ueberspringen um und uns unser unsere
unterbrechen unterbrich unwichtig verstanden verwend verwende verwerfen verwirf vielen vielleicht viertens vom von vor
vorher vorziehen wann waren warten warteschlange warteschlangenstatus warum was weck wecke weglassen weiter weitere
weiteren weiterhin weiterlaufen weitermachen welche welchen welcher welches wem wenn wer werden weshalb wichtig
wichtiger wie wieder wiederhol wiederhole wiederholen wieso wir wird wo woher wohin zeig zeige zeigen zeit zieh ziehe
zu zudem zuerst zuletzt zum zunächst zur zusammen zusammenfassen zustand zusätzlich zweitens über übersetze übersetzen
überspringe überspringen
"""
_SPANISH_WORDS = """
aaborta abortar acuerdo adelanta adicionalmente ahora ajusta al alguna anterior antes anula anular aparte aplaza
aplazar asigna asimismo así aumenta ayer añade baja bien bloqueo borra borrar buen buenas buenos busca buscar cambia
cancela cancelar cancele caso claro cola como comprueba con congela congelar continua continuar continúa corre correr
corrige crea crees creo cualquier cuando cuanto cuál cuáles cuántas cuántos cómo dale de deja del demás desbloquea
desbloquear descarta descartar despiértame después detener detén dile dime disminuye dos día dónde ejecuta ejecutar el
elimina eliminar ella emplea en encargos encola entendido entonces envía es escribe eso espera esta establece estado
estamos estas este esto estos estoy estupendo está están existe falla falta final finalmente frente genera googlea
gracias ha hace hacer hay haz hola hoy ignora ignorar importante intenta intentar inténtalo jueves la lamentablemente
lanzar las libera liberar limpia limpiar lista listar lo los luego lugar marca martes mañana mediante mi mismo
miércoles modelo mostrar muestra muy muéstrame más nada necesito nos nosotros nueva nuevamente nuevo nunca olvida
omite omitir orden otra para paralelo paso pausa pausar pendientes pero pide pienso plis podemos podrías podéis pon
por porfa porfavor porque posible posteriormente primer primera primero principio prioridad prioriza prisa probar
progreso prosigue pudieras puede puedes puedo que quiero quita quitar quién quiénes qué reanuda reanudar recuerdame
recuérdame recuérdanos redacta reejecuta reejecutar reinicia reiniciar reintenta reintentar relanza relanzar repetir
repite resume resumen retoma retomar revisa sabes salta saltar saludos seguidamente seguir segundo según semana si
sigue siguiente sin sobre su sube subraya sucesivamente suspende suspender sí también tarea tareas tenemos tengo
tercero termina terminada terminadas termine terminen tiempo tiene tienen todas todos trabajo traduce traducir través
un una uno unos urgencia urgente urgentemente usa usando usar utiliza utilizando vacia vaciar vacía vez viernes volver
vuelve y ya él
"""
_FRENCH_WORDS = """
mets aabandonne abandonner abord afficher aide ailleurs ajoute ajouter alors annule annuler annulez après attente au
augmente aujourd aussi autre aux avancement avant avec baisse basse besoin bien bon bonjour bonne bonsoir ceci cela
celle ces cet cette chaque cherche combien comme commence commencer compris connais continuer corrige coucou crois
crée dans de demain demande dernier des deux deverrouille diminue donc du débloque débloquer déverrouille efface
effacer elle emploie en enfin ensemble ensuite entendu envoie est et eux faible faire fais fait faut ffiche fin
finalement fini finie finies finir googlise génial génère haute ignore ignorer il ils interromps jamais je jeudi
journée la laisse le les leur libérer lieu ligne liste lister lorsque là maintenant mardi maximale merci mercredi mes
mettre moi mon monte montre montrer moyenne même ne nettoie non normale nous nouveau nouvelle nuit ou oublie oui outre
où par parallèle parfait pas passe pause penses peux pour pourquoi pourrais pourriez poursuis poursuivre premier
première premièrement prends prioritaire priorité progression puis quand que quel quelle quelles quels qui quoi
rappelle recherche recommence recommencer redémarre redémarrer reessaie refaire refais regarde relance relancer
remonte reprendre reprends reprenez retente retenter rien rédige réessaie réessaye réessayer répéter résume sais salut
samedi sans saute sauter ses simultanément son sont statut stoppe stp successivement suite supprime supprimer sur
suspendre svp séparément terminer terminé terminée terminées terminés tomber tous tout toute toutes traduire traduis
traite travail troisième troisièmement très tu tâche tâches un une urgence urgente utilisant utilise utiliser utilisez
vendredi veux vide vider videz vite voici voir vous vérifie zappe écris également élevée étape étapes état été
"""
_SHARED = frozenset(
    [
        "al",
        "alle",
        "als",
        "as",
        "au",
        "bin",
        "ce",
        "cola",
        "con",
        "de",
        "del",
        "den",
        "der",
        "des",
        "die",
        "do",
        "dos",
        "du",
        "el",
        "en",
        "er",
        "es",
        "est",
        "et",
        "fin",
        "final",
        "gib",
        "gut",
        "ha",
        "hat",
        "her",
        "ignore",
        "il",
        "im",
        "in",
        "is",
        "it",
        "la",
        "las",
        "le",
        "les",
        "list",
        "liste",
        "lo",
        "lokal",
        "los",
        "man",
        "mi",
        "mit",
        "mon",
        "mute",
        "ne",
        "non",
        "or",
        "orden",
        "ou",
        "par",
        "parallel",
        "pause",
        "per",
        "plus",
        "pour",
        "premier",
        "pro",
        "resume",
        "sa",
        "sans",
        "si",
        "sin",
        "so",
        "son",
        "status",
        "su",
        "suite",
        "sur",
        "tag",
        "tour",
        "tu",
        "um",
        "un",
        "usa",
        "use",
        "von",
        "war",
        "was",
        "wo",
        "y",
        "ya",
        "zu",
    ]
)
"""Words that English, or more than one of these languages, has too: a hint, no proof."""
_WORDS = {
    "de": frozenset(_GERMAN_WORDS.split()),
    "es": frozenset(_SPANISH_WORDS.split()),
    "fr": frozenset(_FRENCH_WORDS.split()),
}
_LETTERS = {"de": "äöüß", "es": "ñ¿¡áíóú", "fr": "çèêëœôûùîâ"}
_WORD = re.compile(r"[a-zà-öø-ÿœß]+")
_KANA = re.compile(r"[\u3041-\u30ff]")
_HANGUL = re.compile(r"[\uac00-\ud7a3]")
_CHINESE = re.compile(r"[吗帮这们么呢吧啊咱啥哪她您]")
"""Characters that no Japanese word has."""
_LIMIT = 4000
"""Characters that tell a message's language."""
_PROOF = 3
"""Points that show a language: a word of its own, or three shared ones."""


def found_in(text: str) -> tuple[str, ...]:
    """Return the languages to read a text in scanning form with.

    English always, and Chinese, since messages mix them; not Chinese where the characters
    are those of Japanese or Korean.

    >>> found_in("run it"), found_in("fasse das zusammen"), found_in("要約して")
    (('en', 'zh'), ('en', 'zh', 'de'), ('en', 'ja'))
    """
    head = text[:_LIMIT]
    found = [x for x, words in _WORDS.items() if _points(head, words) >= _PROOF]
    if head.isascii():
        return (*ALWAYS, *found)
    found += [
        language
        for language, letters in _LETTERS.items()
        if language not in found and any(letter in head for letter in letters)
    ]
    others = [
        x for x, script in (("ja", _KANA), ("ko", _HANGUL)) if script.search(head)
    ]
    if others and not _CHINESE.search(head):
        return (ALWAYS[0], *found, *others)
    return (*ALWAYS, *found, *others)


def _points(head: str, words: frozenset[str]) -> int:
    hits = words.intersection(_WORD.findall(head))
    return sum(1 if word in _SHARED else _PROOF for word in hits)
