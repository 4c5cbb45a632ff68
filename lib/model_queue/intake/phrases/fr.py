"""French phrases."""

from __future__ import annotations

from collections.abc import Mapping

_QUEUE = r"(?:(?:la|notre|ma) file(?: d'attente)?|file d'attente)(?: (?:de|des) (?:tâches|travaux|modèles))?"
_DONE = r"(?:(?:est|sont|soit|soient|sera|seront) (?:terminé|terminée|terminés|terminées|fini|finie|finis|finies|fait|faite|faits|faites|prêt|prête|prêts|prêtes)|terminées?|finies?|faites?)"
_FAILS = r"(?:échoue|échouent|échoué|rate|plante|ne marche pas|ne fonctionne pas|tourne mal|a échoué|est en échec)"
_DAY = r"(?P<day>aujourd'hui|demain|après-demain|(?:ce |le )?(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche)(?: prochain)?)"
_PART = r"(?P<part>matin|midi|après-midi|soir|nuit)"
_CLOCK = r"à (?P<clock>\d{1,2} ?(?:h|heures?)(?: ?\d\d)?|\d{1,2}:\d\d)"
_DAY_HEADS = (
    "aujourd|demain|après|ce|le|lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche"
)
_YOU = r"(?:-tu|-vous| tu| vous)"

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "sign_off": {
        "close": (r"(?:cordialement|bien cordialement|bien à vous|à bientôt|bises)",)
    },
    "attachment": {
        "intro": (
            (
                r"(?:ce|cet|cette|ces|le|la|les) (?:texte|courriel|mail|message|journal|log|article|paragraphe|code|lettre|notes|page|liste|"
                r"erreur|contrat|poème|recette)(?: (?:suivante?s?|ci-dessous))?(?: (?:en|au|comme|de|du|par) [^:\n]{1,60})?"
            ),
            r"(?:traduis|résume|corrige|relis|analyse|explique|améliore) (?:ceci|ce qui suit)(?: en [^:\n]{1,40})?",
        ),
    },
    "points_back": {
        "back": (
            r"(?:texte|mail|message|paragraphe|article|code|journal) ci-dessus",
            r"ce qui précède",
        )
    },
    "and": {"and": (r"(?:et|mais)",)},
    "link": {
        "bare": (
            r"(?:puis|ensuite|après ça|après cela|par la suite|après quoi)(?: (?:seulement))?",
        ),
        "chain": (
            r"(?:enfin|finalement|pour finir|en dernier lieu|en dernier|à la fin|pour terminer)",
            rf"(?:une fois que|dès que|quand|lorsque) (?:c'est|cela est|ça|ce sera|c'est bien) ?(?:{_DONE}|fait|fini|terminé|prêt)",
            r"après|ceci|cela|une=>(?:une fois (?:fait|fini|terminé|cela fait|ceci fait|ça fait)|cela fait|ceci fait|après avoir fini|après avoir terminé)",
            r"avec|en|sur|à=>(?:à partir de (?:là|ça|cela|ce résultat)|sur cette base|en te basant là-dessus|en se basant là-dessus|avec ce résultat|avec le résultat|avec ça|avec cela|sur la base de (?:ça|cela|ce résultat))",
            r"après,",
        ),
        "also": (
            r"(?:aussi|également|de plus|en plus|par ailleurs|en outre|à part ça|séparément|en parallèle|en même temps|au passage|d'autre part)",
        ),
        "first": (
            r"(?:d'abord|tout d'abord|premièrement|pour commencer|commence par)",
        ),
    },
    "ordinal": {
        "1": (r"(?:premièrement|d'abord|tout d'abord|primo)(?=[,:])",),
        "2": (r"(?:deuxièmement|secondement|secundo)(?=[,:])",),
        "3": (r"(?:troisièmement|tertio)(?=[,:])",),
        "4": (r"(?:quatrièmement)(?=[,:])",),
    },
    "fan_in": {
        "all": (
            rf"(?:quand|lorsque|une fois que|dès que|après que) (?:tout|toutes|tous|tout cela|les deux|les trois|toutes les tâches)(?: (?:cela|ça|ceci))? ?(?:{_DONE})",
            r"(?:à partir|sur la base|en te basant sur|avec) (?:de tout|des deux|tout|toutes|tous|les deux)(?: (?:cela|ça|les résultats|ces résultats))?(?=,|$)",
        ),
        "named": (
            rf"(?:après|quand|une fois que|dépend de|à partir de) (?:la |les |l'|le )?(?P<names>(?:(?:tâches?|étapes?|points?) )?\d{{1,2}}(?: ?(?:,|et) ?\d{{1,2}}){{0,9}})(?: {_DONE})?(?=[,:)\].]| |$)",
        ),
        "keep": (
            r"(?:combine|fusionne|rassemble|réunis|regroupe|compare|assemble|synthétise) (?:tout|tous|toutes|les deux|les résultats|tous les résultats)(?: [a-zà-ÿ]{1,15}){0,4}",
        ),
    },
    "depends": {
        "ids": (
            rf"(?:après|quand|une fois que|dès que|lorsque) (?:la tâche )?(?P<ids>{{ids}})(?: {_DONE})?",
            r"(?:dépend de|dépendant de|basé sur|attend|nécessite|requiert) (?:la tâche )?(?P<ids>{ids})",
        ),
    },
    "policy": {
        "continue": (
            rf"même si [^.;\n]{{1,60}}?{_FAILS}",
            r"(?:quoi qu'il arrive|dans tous les cas|de toute façon|peu importe [^.;\n]{1,50})",
            rf"(?:si|en cas d') ?[^.;,\n]{{1,50}}(?:{_FAILS}|échec|erreur),? (?:continue|poursuis)(?: (?:quand même|malgré tout))?",
        ),
        "skip": (
            rf"(?:si|en cas) [^.;,\n]{{1,50}}(?:{_FAILS}|échec|erreur),? (?:saute|passe|ignore|laisse tomber)[^.;\n]{{0,30}}",
            rf"(?:saute|ignore|passe|laisse)(?:-la|-le| la| le)?[^.;\n]{{0,20}} si [^.;\n]{{1,50}}{_FAILS}",
        ),
        "block": (
            r"(?:seulement|uniquement) si [^.;\n]{1,50}(?:réussit|marche|fonctionne|réussi)",
        ),
    },
    "priority": {
        "10": (
            r"(?:urgent|urgente|c'est urgent|d'urgence|en urgence|priorité maximale|dès que possible|au plus vite|le plus vite possible|critique)",
        ),
        "5": (
            r"(?:haute priorité|priorité haute|priorité élevée|prioritaire|important|en priorité)",
        ),
        "0": (r"(?:priorité normale|priorité moyenne)",),
        "-5": (
            r"(?:basse priorité|priorité basse|faible priorité|priorité faible|pas urgent|ce n'est pas urgent|rien ne presse|pas pressé|quand tu as le temps|quand tu peux|sans urgence)",
        ),
        "number": (
            r"avec|priorité=>(?:avec )?priorité(?: de|:|=)? ?(?P<n>-?\d{1,3})(?![\d.])",
        ),
    },
    "time": {
        "delay": (
            r"dans (?P<n>{num}|une?|deux|trois|quatre|cinq|dix|quinze|vingt) (?P<unit>secondes?|minutes?|heures?|jours?|semaines?)",
        ),
        "day": (
            rf"{_DAY_HEADS}=>{_DAY}(?: {_PART})?(?:,? {_CLOCK})?",
            r"ce|cet|cette=>(?P<day>ce soir|cet après-midi|cette nuit)",
            rf"{_CLOCK}(?: {_DAY})?",
        ),
    },
    "time_word": {
        "today": (r"aujourd'hui",),
        "tomorrow": (r"demain",),
        "day_after_tomorrow": (r"après-demain",),
        "monday": (r"lundi",),
        "tuesday": (r"mardi",),
        "wednesday": (r"mercredi",),
        "thursday": (r"jeudi",),
        "friday": (r"vendredi",),
        "saturday": (r"samedi",),
        "sunday": (r"dimanche",),
        "tonight": (r"ce soir|cette nuit",),
        "morning": (r"matin",),
        "noon": (r"midi",),
        "afternoon": (r"après-midi",),
        "evening": (r"soir",),
        "night": (r"nuit",),
        "second": (r"seconde|secondes",),
        "minute": (r"minute|minutes",),
        "hour": (r"heure|heures",),
        "day": (r"jour|jours",),
        "week": (r"semaine|semaines",),
        "1": (r"un|une",),
        "2": (r"deux",),
        "3": (r"trois",),
        "4": (r"quatre",),
        "5": (r"cinq",),
        "10": (r"dix",),
        "15": (r"quinze",),
        "20": (r"vingt",),
    },
    "polite": {
        "please": (
            r"(?:s'il te plaît|s'il vous plaît|s'il te plait|s'il vous plait|svp|stp|merci de)",
            rf"(?:peux|pourrais|pouvez|pourriez|veux|voudrais|voulez){_YOU}(?: (?:bien|me|m'aider à|s'il te plaît|s'il vous plaît))*",
            r"(?:tu peux|vous pouvez|tu pourrais|vous pourriez|il faut|il faudrait|je veux que tu|je voudrais que tu|j'aimerais que tu|j'ai besoin que tu|je voudrais|je veux|aide-moi à|veuillez)(?: (?:me|m'aider à|bien))?",
            r"je=>je (?:voudrais|veux|souhaite) que (?:tu|vous)",
        ),
        "filler": (r"(?:alors|bon|ben|euh|donc|ok|dis|allez)(?=[, ])",),
    },
    "polite_tail": {
        "please": (
            r"(?:s'il te plaît|s'il vous plaît|s'il te plait|svp|stp|merci|merci beaucoup|merci d'avance|pour moi)",
        )
    },
    "greeting": {
        "hello": (
            r"(?:bonjour|salut|bonsoir|coucou|hello)(?: (?:à tous|tout le monde|l'équipe|claude))?(?=[,!.:\n]|$| )",
        ),
        "thanks": (
            r"(?:merci|merci beaucoup|merci bien|un grand merci|mille mercis)(?: (?:à toi|à tous|pour tout|pour ton aide|pour votre aide|d'avance|encore))*(?=[,!.\n]|$)",
        ),
        "ack": (
            r"(?:oui|non|ok|d'accord|parfait|super|génial|très bien|bien|ça marche|entendu|compris|à demain|à bientôt|au revoir|de rien|bravo|bonne journée|bonne nuit|ça va|comment ça va|bon travail|bon week-end)(?=[,!.?\n]|$)",
        ),
    },
    "question": {
        "question": (
            r"(?:que|quoi|qui|quel|quelle|quels|quelles|comment|où|pourquoi|quand|combien|est-ce|qu'est-ce|est|y a-t-il|sais-tu|penses-tu|crois-tu|dois-je|puis-je|faut-il|connais-tu|c'est quoi)",
        ),
    },
    "statement": {
        "statement": (
            r"(?:je|j'ai|nous|il|elle|ils|elles|c'est|c'était|hier|malheureusement|on|moi|mon|ma|mes|ça|cela)(?= )",
            r"n'[a-zà-ÿ]{1,15} pas|ne ",
        ),
    },
    "trigger": {
        "task": (
            r"(?:nouvelle tâche|nouvelles tâches|tâche|tâches|à faire)(?= ?[:\n-])",
            rf"(?:ajoute|ajouter|crée|créer|note|enregistre) (?:une |cette |ces |la )?(?:nouvelle )?tâches?(?: suivante)?(?: (?:à|dans) {_QUEUE})?(?= ?[:\n-]| |$)",
        ),
        "queue": (
            rf"(?:mets|ajoute|place|met|mettez|ajoutez) (?:ceci|ça|cela|ce qui suit|le suivant)? ?(?:à|dans|en|sur) {_QUEUE}(?= ?[:\n,-]| |$)",
            r"(?:à mettre en file|en file d'attente|mettre en file)(?= ?[:\n])",
        ),
    },
    "trigger_tail": {
        "queue": (
            rf"ajoute|et|mets|place=>(?:et )?(?:mets|ajoute|place)(?:-le|-la|-les| ça| cela) (?:à|dans|en|sur) {_QUEUE}",
        ),
    },
    "courtesy": {
        "polite": (
            r"(?:svp|stp|et|alors)(?=[, ])",
            rf"(?:peux|pourrais){_YOU}(?: s'il te plaît)?",
        )
    },
    "ambient_trigger": {
        "task": (
            r"(?:nouvelle tâche|nouvelles tâches)(?= ?[:\n])",
            r"(?:ajoute|crée) (?:une |cette )?(?:nouvelle )?tâches?(?= ?[:\n])",
        ),
        "queue": (
            rf"(?:mets|ajoute|place) (?:ceci|ça|cela|ce qui suit|une tâche|cette tâche)? ?(?:à|dans|en|sur) {_QUEUE}(?= ?[:\n])",
        ),
    },
    "ambient_tail": {
        "clause": (
            rf"et=>et (?:mets|ajoute|place)(?:-le|-la|-les| ça| cela) (?:à|dans|en|sur) {_QUEUE}",
        )
    },
    "announce": {
        "jobs": (
            r"(?:tâches|tâches à faire|à faire|choses|ceci|ce qui suit|liste|les tâches suivantes|ces tâches)",
        )
    },
    "jobs_heading": {
        "jobs": (
            r"(?:tâches|à faire|liste de tâches|choses à faire|ce qui suit|todo)",
            r"(?:trois|deux|quatre|cinq|plusieurs|ces|quelques) (?:choses|tâches|demandes|points)",
        ),
    },
    "in_order": {
        "order": (
            r"(?:dans cet ordre|dans l'ordre|l'un après l'autre|l'une après l'autre|une par une|un par un|étape par étape|successivement)",
        )
    },
    "in_parallel": {
        "parallel": (
            r"(?:en parallèle|en même temps|simultanément|dans n'importe quel ordre)",
        )
    },
    "select": {
        "use": (
            r"(?:avec|utilise|utilisez|via|par|en utilisant|au moyen de|prends|à l'aide de|avec le modèle|utilise le modèle|emploie)",
        ),
        "agent": (r"(?:demande à|fais faire à|laisse|dis à|fais)",),
        "send": (
            r"(?:envoie|envoyez|donne|confie|passe|transmets|délègue|envoie-le|donne-le|confie-le)(?: (?:ça|cela|ceci|tout|la tâche))? (?:à|au|vers|sur)",
        ),
        "run": (
            r"(?:lance|exécute|traite|traitez|fais|fais tourner|exécute-le|fais-le|traite-le)(?: (?:ça|cela|ceci|tout|ce qui suit))? (?:sur|avec|en|via|dans|par)",
        ),
        "on": (r"(?:sur|en|dans le|dans)",),
    },
    "select_for": {
        "for": (r"(?:pour|et|de|d'|afin de)(?: (?:ça|cela|tout))?(?= |$|:|[a-zà-ÿ])",)
    },
    "content_verb": {
        "content": (r"(?:compare|comparer|remplace|teste|installe|configure|évalue)",)
    },
    "scope_word": {
        "word": (
            r"(?:tout|tous|toutes|toute|chaque|les|la|le|deux|avec|sur|en|dans|et|pour|tâche|tâches|utilise|fais|traite|lance|exécute|doivent|passer|aller|de|modèle|sont|est|priorité|merci)",
        ),
    },
    "position": {
        "at": (
            r"(?:première|premier|deuxième|seconde|second|troisième|quatrième|dernière|dernier)",
        ),
        "rest": (r"(?:reste|autres)",),
    },
    "search": {
        "web": (
            r"(?:googlise|cherche sur google|cherche sur internet|cherche en ligne|recherche sur internet|cherche sur le web|regarde sur internet)",
        )
    },
    "remind": {
        "remind": (
            r"(?:rappelle-moi|rappelle moi|rappelez-moi|réveille-moi|préviens-moi)",
            r"(?:mets|règle|programme|crée)(?: (?:un|une))? (?:alarme|minuteur|rappel|réveil)",
            r"(?:note|ajoute|mets|inscris)[^.\n]{1,60}(?:calendrier|agenda)",
        ),
    },
    "verb": {
        "cancel": (
            r"(?:annule|annuler|annulez|supprime|supprimer|abandonne|abandonner|arrête|arrêter|laisse tomber|efface|effacer|retire|stoppe|plus besoin de|oublie)",
        ),
        "skip": (r"(?:saute|sauter|passe|passer|ignore|ignorer|zappe)",),
        "retry": (
            r"(?:relance|relancer|réessaie|réessaye|réessayer|recommence|recommencer|refais|refaire|répète|répéter|reessaie|retente|retenter|redémarre|redémarrer)",
        ),
        "again": (r"(?:encore une fois|à nouveau|de nouveau|une nouvelle fois)",),
        "pause": (
            r"(?:suspends|suspendre|mets en pause|mettre en pause|en pause|pause|mets en attente|gèle|interromps|met en pause)",
        ),
        "resume": (
            r"(?:reprends|reprendre|reprenez|continue|continuer|poursuis|poursuivre)",
        ),
        "unblock": (
            r"(?:débloque|débloquer|libère|libérer|deverrouille|déverrouille)",
        ),
        "clear": (r"(?:vide|vider|videz|nettoie|purge)",),
        "status": (
            r"(?:état|statut|affiche|afficher|montre|montre-moi|montrer|liste|lister|où en est|où en sont|avancement|progression|donne|voir)",
        ),
        "negated": (r"(?:ne|n'|jamais|pas)",),
    },
    "priority_verb": {
        "set": (r"(?:mets|met|change|donne|passe|priorité|la priorité|règle|marque)",),
        "5": (
            r"(?:haute|augmente|monte|élevée|plus haute|prioritaire|avance|remonte)",
        ),
        "10": (
            r"(?:urgent|urgente|maximale|en premier|en tête|au début|critique|tout en haut)",
        ),
        "-5": (r"(?:basse|baisse|diminue|faible|à la fin|en dernier|plus basse)",),
        "normal": (r"(?:normale|moyenne|normal)",),
    },
    "target": {
        "all": (
            r"(?:tout|toutes les tâches|tous les jobs|toutes|tous)",
            r"(?:toutes|tous|les)(?: les)?(?: tâches)? (?P<word>échouées|bloquées|en pause|en attente)(?: tâches)?",
        ),
        "queue": (
            r"file|la|ma|notre|toute=>(?:(?:toute )?(?:la |notre |ma )?file(?: d'attente)?(?: (?:des|de) tâches)?(?: entière)?)",
        ),
        "point": (
            r"(?:celle-là|celui-là|ça|cela|la dernière|cette tâche|la tâche|celle-ci)",
        ),
    },
    "filler": {
        "filler": (
            r"(?:s'il te plaît|s'il vous plaît|svp|stp|la|le|les|tâche|tâches|et|à|de|du|des|en|sur|maintenant|tout de suite|peux-tu|pourrais-tu|peux|pourrais|tu|vous|moi|me|avec|par|pour|un|une|l|d|merci|exécuter|exécute|donc|numéro|job|travail|lance|mets|est)",
        ),
    },
    "state": {
        "state": (
            r"(?:terminé|terminée|finie|fini|prêt|prête|état|statut|avancement|cours|attente|bloquée|bloqué|échoué|échouée|pause|résultat|passe|passé|avance|reste|faite|fait)",
        ),
        "ask": (
            r"(?:où|en|est|est-ce que|comment|quel|quelle|quand|va|y|a|montre|affiche|elle|que|qu'est-ce|ce|qui|de|la|se)",
        ),
        "explain": (r"(?:pourquoi)",),
    },
    "status_whole": {
        "status": (
            r"(?:montre|montre-moi|affiche|liste|donne|donne-moi|voir)(?: (?:moi|le|la|les|l'|toutes|mes))* ?(?:état(?: de la file| des tâches)?|l'état de la file(?: d'attente)?|statut|file(?: d'attente)?|tâches(?: (?:en cours|en attente|bloquées|échouées))?)",
            r"(?:qu'est-ce qui|quelles tâches|combien de tâches|que)(?: (?:est|sont|tourne|tournent|reste|restent|a|ont|se|passe))+(?: (?:en cours|en attente|bloqué|bloquées|dans la file|à faire|échoué|terminé|terminées|prêtes))*",
            r"(?:état de la file|état des tâches|où en sont les tâches|où en est la file|où en est-on|où en sommes-nous|l'état de la file(?: d'attente)?)",
        ),
    },
}
