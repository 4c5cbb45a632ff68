"""Spanish phrases."""

from __future__ import annotations

from collections.abc import Mapping

_QUEUE = r"(?:la )?cola(?: de (?:tareas|trabajos|trabajo|modelos))?"
_DONE = r"(?:terminen?|acaben?|estén? (?:listos?|listas?|terminad[oa]s?|hech[oa]s?)|esté (?:listo|lista|hecho|terminado)|finalicen?|se completen?|hayan? terminado|termines|acabes)"
_FAILS = r"(?:falla|fallan|falle|fallen|fracasa|fracase|no funciona|no funcione|sale mal|da error|hay error)"
_DAY = r"(?P<day>hoy|mañana|pasado mañana|(?:el |el próximo )?(?:lunes|martes|miércoles|jueves|viernes|sábado|domingo))"
_PART = r"(?:por|de|en) la (?P<part>mañana|tarde|noche)|a (?P<noon>mediodía)"
_CLOCK = r"(?:a las|a la) (?P<clock>\d{1,2}(?::\d\d)?(?: ?(?:am|pm|h|horas))?)"
_DAY_HEADS = "hoy|mañana|pasado|el|lunes|martes|miércoles|jueves|viernes|sábado|domingo"

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "sign_off": {
        "close": (r"(?:saludos cordiales|saludos|un saludo|atentamente|un abrazo)",)
    },
    "attachment": {
        "intro": (
            (
                r"(?:este|esta|estos|estas|el|la|los|las) (?:siguiente |siguientes )?(?:texto|correo|email|mensaje|registro|log|artículo|"
                r"párrafo|código|carta|notas|página|lista|error|contrato|poema|receta)(?: siguiente)?(?: (?:al|a|en|como|de|por) [^:\n]{1,60})?"
            ),
            r"(?:traduce|resume|corrige|revisa|analiza|explica|mejora|responde) (?:esto|lo siguiente)(?: (?:al|en) [^:\n]{1,40})?",
        ),
    },
    "points_back": {
        "back": (
            r"(?:texto|correo|registro|párrafo|artículo|código|mensaje) (?:de arriba|anterior|de más arriba)",
            r"lo (?:anterior|de arriba)",
        ),
    },
    "and": {"and": (r"(?:y|e|pero)",)},
    "link": {
        "bare": (
            r"(?:luego|después|entonces|a continuación|seguidamente|posteriormente|más tarde)(?! de (?!eso|esto))(?: de (?:eso|esto|ello))?",
        ),
        "chain": (
            r"(?:finalmente|por último|al final|por fin|para terminar|para acabar|en último lugar)",
            rf"(?:cuando|una vez que|en cuanto|tan pronto como) (?:eso |esto |lo anterior )?{_DONE}(?: (?:con )?(?:eso|esto))?",
            r"hecho|tras|una=>(?:una vez (?:hecho|terminado|listo|acabado)(?: (?:eso|esto))?|hecho (?:eso|esto)|tras (?:eso|esto|ello))",
            r"a|basándote|con|en=>(?:basándote en (?:eso|esto|ello|el resultado)|en base a (?:eso|esto)|a partir de (?:eso|esto|ahí|ello)|con (?:eso|esto|ese resultado|el resultado|los resultados)|con base en (?:eso|esto))",
        ),
        "also": (
            r"(?:además|también|asimismo|por otro lado|por otra parte|aparte|por separado|en paralelo|al mismo tiempo|de paso|adicionalmente)",
        ),
        "first": (r"(?:primero|en primer lugar|para empezar|antes de nada)",),
    },
    "ordinal": {
        "1": (r"(?:primero|en primer lugar)(?=[,:])",),
        "2": (r"(?:segundo|en segundo lugar)(?=[,:])",),
        "3": (r"(?:tercero|en tercer lugar)(?=[,:])",),
        "4": (r"(?:cuarto|en cuarto lugar)(?=[,:])",),
    },
    "fan_in": {
        "all": (
            rf"(?:cuando|una vez que|en cuanto|después de que) (?:todo|todos|todas|todo eso|ambos|ambas|los dos|las dos|los tres|las tres)(?: (?:las tareas|los pasos|eso))? ?(?:{_DONE})",
            r"(?:basándote en|con|a partir de|en base a) (?:todo|todos|todas|ambos|ambas|los dos|las dos)(?: (?:los resultados|los anteriores|lo anterior|eso))?(?=,|$)",
        ),
        "named": (
            rf"(?:después de|tras|cuando|basándote en|depende de) (?:la |las |el |los )?(?P<names>(?:(?:tareas?|pasos?|puntos?) )?\d{{1,2}}(?: ?(?:,|y) ?\d{{1,2}}){{0,9}})(?: {_DONE})?(?=[,:)\].]| |$)",
        ),
        "keep": (
            r"(?:combina|une|junta|fusiona|reúne|resume|compara|integra) (?:todo|todos|todas|ambos|ambas|los dos|las dos|los resultados|todos los resultados)(?: [a-záéíóúñ]{1,15}){0,4}",
        ),
    },
    "depends": {
        "ids": (
            rf"(?:después de|tras|cuando|una vez que|en cuanto) (?:la tarea )?(?P<ids>{{ids}})(?: {_DONE})?",
            r"(?:depende de|dependiendo de|basado en|basándote en|espera a|requiere|necesita) (?:la tarea )?(?P<ids>{ids})",
        ),
    },
    "policy": {
        "continue": (
            rf"(?:aunque|incluso si|aun si|aun cuando) [^.;\n]{{0,60}}?{_FAILS}",
            r"(?:pase lo que pase|de todos modos|de todas formas|en cualquier caso|independientemente de [^.;\n]{1,50})",
            rf"si [^.;,\n]{{0,50}}{_FAILS},? (?:continúa|sigue)(?: (?:igualmente|igual|de todos modos|adelante))?",
        ),
        "skip": (
            rf"si [^.;,\n]{{0,50}}{_FAILS},? (?:sáltal[oa]s?|omítel[oa]s?|salta|omite|sáltate)[^.;\n]{{0,30}}",
            rf"omite|omítela|omítelo|salta|sáltala|sáltalo=>(?:sáltal[oa]|omítel[oa]|salta|omite)[^.;\n]{{0,20}} si [^.;\n]{{0,50}}{_FAILS}",
        ),
        "block": (
            r"(?:solo|sólo|únicamente) si [^.;\n]{1,50}(?:funciona|tiene éxito|sale bien|termina bien)",
        ),
    },
    "priority": {
        "10": (
            r"(?:urgente|es urgente|con urgencia|urgentemente|máxima prioridad|prioridad máxima|lo antes posible|cuanto antes|crítico|crítica)",
        ),
        "5": (
            r"(?:alta prioridad|prioridad alta|con prioridad alta|importante|con alta prioridad)",
        ),
        "0": (r"(?:prioridad normal|prioridad media)",),
        "-5": (
            r"(?:baja prioridad|prioridad baja|con prioridad baja|con baja prioridad|sin prisa|no es urgente|no corre prisa|cuando puedas|no hay prisa)",
        ),
        "number": (
            r"con|prioridad=>(?:con )?prioridad(?: de|:|=)? ?(?P<n>-?\d{1,3})(?![\d.])",
        ),
    },
    "time": {
        "delay": (
            r"(?:en|dentro de) (?P<n>{num}|una?|dos|tres|cuatro|cinco|diez|quince|veinte|media) (?P<unit>segundos?|minutos?|horas?|días?|semanas?)",
        ),
        "day": (
            rf"{_DAY_HEADS}=>{_DAY}(?: (?:{_PART}))?(?:,? {_CLOCK})?",
            r"esta=>(?P<day>esta noche|esta tarde)",
            r"a=>a las (?P<clock>\d{1,2}(?::\d\d)?(?: ?(?:am|pm|h|horas)))(?: (?:de|por) la (?P<part>mañana|tarde|noche))?",
        ),
    },
    "time_word": {
        "today": (r"hoy",),
        "tomorrow": (r"mañana",),
        "day_after_tomorrow": (r"pasado mañana",),
        "monday": (r"lunes",),
        "tuesday": (r"martes",),
        "wednesday": (r"miércoles",),
        "thursday": (r"jueves",),
        "friday": (r"viernes",),
        "saturday": (r"sábado",),
        "sunday": (r"domingo",),
        "tonight": (r"esta noche",),
        "today_afternoon": (r"esta tarde",),
        "afternoon": (r"tarde",),
        "night": (r"noche",),
        "noon": (r"mediodía",),
        "second": (r"segundo|segundos",),
        "minute": (r"minuto|minutos",),
        "hour": (r"hora|horas",),
        "day": (r"día|días",),
        "week": (r"semana|semanas",),
        "1": (r"un|una",),
        "2": (r"dos",),
        "3": (r"tres",),
        "4": (r"cuatro",),
        "5": (r"cinco",),
        "10": (r"diez",),
        "15": (r"quince",),
        "20": (r"veinte",),
        "0.5": (r"media",),
    },
    "polite": {
        "please": (
            r"(?:por favor|porfa|porfavor|plis)",
            r"(?:puedes|podrías|podéis|puede|podría|me puedes|me podrías|te importaría|querrías|podrías por favor|puedes por favor)(?: (?:por favor|ayudarme a|hacerme el favor de))?",
            r"(?:quiero que|quisiera que|necesito que|me gustaría que|quiero|necesito|hazme el favor de|ayúdame a)(?! saber)",
        ),
        "filler": (r"(?:bueno|pues|eh|a ver|oye|ok|vale|mira)(?=[, ])",),
    },
    "polite_tail": {
        "please": (
            r"(?:por favor|porfa|gracias|muchas gracias|mil gracias|gracias de antemano|vale)",
        )
    },
    "greeting": {
        "hello": (
            r"(?:hola|buenas|buenos días|buenas tardes|buenas noches|qué tal|saludos|oye)(?: (?:a todos|equipo|amigo|claude))?(?=[,!.:;?\n]|$| )",
        ),
        "thanks": (
            r"(?:gracias|muchas gracias|mil gracias|te lo agradezco)(?: (?:a todos|por todo|por la ayuda|de antemano|por tu ayuda|de nuevo))*(?=[,!.\n]|$)",
        ),
        "ack": (
            r"(?:sí|si|no|vale|ok|perfecto|genial|bien|muy bien|de acuerdo|claro|estupendo|hasta luego|hasta mañana|adiós|de nada|buen trabajo|cómo estás|qué tal estás|entendido|excelente)(?=[,!.?\n]|$)",
        ),
    },
    "question": {
        "question": (
            r"(?:qué|quién|quiénes|cómo|dónde|por qué|cuándo|cuál|cuáles|cuánto|cuánta|cuántos|cuántas|es|son|está|están|hay|tiene|tienen|has|ha|sabes|crees|debería|deberíamos|puedo|podemos|existe)",
        ),
    },
    "statement": {
        "statement": (
            r"(?:yo|nosotros|él|ella|eso es|hoy es|ayer|lamentablemente|me|nos|creo|pienso|estoy|estamos|tengo|tenemos|fue|era)",
            r"no (?=[a-záéíóúñ])",
        ),
    },
    "trigger": {
        "task": (
            r"(?:nueva tarea|nuevas tareas|tarea|tareas|tarea nueva|pendientes)(?= ?[:\n-])",
            rf"(?:añade|agrega|crea|pon|anota|apunta|añadir|agregar|crear|añádeme|registra) (?:una |esta |estas |otra |la )?(?:nueva )?(?:siguiente )?tareas?(?: nueva)?(?: (?:a|en) {_QUEUE})?(?= ?[:\n-]| |$)",
        ),
        "queue": (
            rf"(?:añade|agrega|pon|mete|añádelo|agrégalo|ponlo|mételo|coloca) (?:esto|lo siguiente|estas|estos)? ?(?:a|en) {_QUEUE}(?= ?[:\n,-]| |$)",
            r"(?:encola|encolar|pon en cola|poner en cola|a la cola|en cola)(?: (?:esto|lo siguiente))?(?= ?[:\n])",
        ),
    },
    "trigger_tail": {
        "queue": (
            rf"agrega|agrégala|agrégalas|agrégalo|agrégalos|añade|añádela|añádelas|añádelo|añádelos|métela|mételas|mételo|mételos|pon|ponla|ponlas|ponlo|ponlos|y=>(?:y )?(?:añádel[oa]s?|agrégal[oa]s?|ponl[oa]s?|métel[oa]s?|añade eso|agrega eso|pon eso) (?:a|en) {_QUEUE}",
            r"encólala|encólalo|y=>(?:y )?(?:encólal[oa])",
        ),
    },
    "courtesy": {
        "polite": (
            r"(?:por favor|porfa|oye|y)(?=[, ])",
            r"(?:puedes|podrías)(?: por favor)?",
        )
    },
    "ambient_trigger": {
        "task": (
            r"(?:nueva tarea|nuevas tareas|tarea nueva)(?= ?[:\n])",
            r"(?:añade|agrega|crea) (?:una |esta |otra )?(?:nueva )?tareas?(?: nueva)?(?= ?[:\n])",
        ),
        "queue": (
            rf"(?:añade|agrega|pon|mete|coloca) (?:esto|lo siguiente|una tarea|esta tarea|estas tareas)? ?(?:a|en) {_QUEUE}(?= ?[:\n])",
            r"(?:encola|pon en cola)(?: (?:esto|lo siguiente|esta tarea))?(?= ?[:\n])",
        ),
    },
    "ambient_tail": {
        "clause": (
            rf"y=>y (?:añádelo|agrégalo|ponlo|mételo|añade eso|agrega eso|pon eso) (?:a|en) {_QUEUE}",
        ),
    },
    "announce": {
        "jobs": (
            r"(?:tareas|pendientes|cosas|lo siguiente|esto|por hacer|lista|las siguientes tareas|estas tareas|estas cosas)",
        )
    },
    "jobs_heading": {
        "jobs": (
            r"(?:tareas|pendientes|lo siguiente|por hacer|lista de tareas|cosas por hacer|encargos)",
            r"(?:tres|dos|cuatro|cinco|varias|estas|las siguientes|unas) (?:cosas|tareas|peticiones|gestiones)",
        ),
    },
    "in_order": {
        "order": (
            r"(?:en este orden|en orden|por orden|en el siguiente orden|uno por uno|una por una|uno tras otro|una tras otra|paso a paso|sucesivamente)",
        )
    },
    "in_parallel": {
        "parallel": (
            r"(?:en paralelo|al mismo tiempo|a la vez|simultáneamente|en cualquier orden)",
        )
    },
    "select": {
        "use": (
            r"(?:con|usa|usando|use|utiliza|utilizando|mediante|vía|por medio de|emplea|a través de|con el modelo|usa el modelo)",
        ),
        "agent": (r"(?:haz que|deja que|pide a|pídele a|dile a|que)",),
        "send": (
            r"(?:envía|envia|manda|pasa|dale|asigna|envíalo|mándalo|pásalo|pásaselo|encarga)(?: (?:esto|eso|todo|la tarea))? (?:a|al|para)",
        ),
        "run": (
            r"(?:ejecuta|haz|procesa|corre|lanza|ejecútalo|hazlo|córrelo|procésalo)(?: (?:esto|eso|todo|lo siguiente))? (?:en|con|usando|mediante)(?: el)?",
        ),
        "on": (r"(?:en el|en la|en)",),
    },
    "select_for": {
        "for": (r"(?:para|y|que|a)(?: (?:que|esto|eso|ello|todo))?(?= |$|:)",)
    },
    "content_verb": {
        "content": (
            r"(?:compara|comparar|reemplaza|sustituye|prueba|instala|configura|evalúa)",
        )
    },
    "scope_word": {
        "word": (
            r"(?:todo|todos|todas|ambos|ambas|cada|con|en|el|la|los|las|para|y|tarea|tareas|usa|usando|haz|hazlo|ejecuta|por|favor|de|que|modelo|son|es|sea|sean|van|va|prioridad)",
        ),
    },
    "position": {
        "at": (
            r"(?:primera|primero|primer|segunda|segundo|tercera|tercero|tercer|cuarta|cuarto|última|último)",
        ),
        "rest": (r"(?:resto|demás|otras|otros)",),
    },
    "search": {
        "web": (
            r"(?:googlea|busca en google|busca en internet|busca en la web|busca online|busca en línea|buscar en internet)",
        )
    },
    "remind": {
        "remind": (
            r"(?:recuérdame|recuerdame|recuérdanos|avísame|despiértame)",
            r"(?:pon|ponme|crea|programa)(?: (?:una|un))? (?:alarma|temporizador|recordatorio)",
            r"(?:apunta|anota|pon|añade)[^.\n]{1,60}(?:calendario|agenda)",
        ),
    },
    "verb": {
        "cancel": (
            r"(?:cancela|cancelar|cancele|anula|anular|borra|borrar|elimina|eliminar|descarta|descartar|aborta|abortar|detén|detener|quita|quitar|ya no hace falta|ya no necesito|olvida|olvídate)",
        ),
        "skip": (
            r"(?:salta|saltar|sáltate|omite|omitir|ignora|ignorar|pasa por alto|sáltala|omítela)",
        ),
        "retry": (
            r"(?:reintenta|reintentar|repite|repetir|relanza|relanzar|reejecuta|reejecutar|vuelve a ejecutar|vuelve a intentar|vuelve a lanzar|volver a ejecutar|inténtalo otra vez|intenta otra vez|reinicia|reiniciar|vuelve a correr|vuelve a probar)",
        ),
        "again": (r"(?:otra vez|de nuevo|nuevamente|una vez más)",),
        "pause": (
            r"(?:pausa|pausar|suspende|suspender|congela|congelar|aplaza|aplazar|pon en pausa|poner en pausa|para|deja en espera|pon en espera|detén por ahora)",
        ),
        "resume": (
            r"(?:reanuda|reanudar|continúa|continua|continuar|sigue|seguir|retoma|retomar|prosigue)",
        ),
        "unblock": (r"(?:desbloquea|desbloquear|libera|liberar|quita el bloqueo)",),
        "clear": (r"(?:vacía|vacia|vaciar|limpia|limpiar)",),
        "status": (
            r"(?:estado|muestra|muéstrame|mostrar|enséñame|lista|listar|ver|dime|progreso|situación|resumen|cómo va|cómo está)",
        ),
        "negated": (r"(?:no|nunca)",),
    },
    "priority_verb": {
        "set": (
            r"(?:pon|cambia|ajusta|marca|dale|prioridad|la prioridad|sube|establece|asigna)",
        ),
        "5": (
            r"(?:sube|alta|aumenta|prioriza|adelanta|más alta|importante|máss importante)",
        ),
        "10": (
            r"(?:urgente|máxima|al principio|primero|la primera|crítica|al frente)",
        ),
        "-5": (r"(?:baja|disminuye|reduce|al final|más baja|última)",),
        "normal": (r"(?:normal|media)",),
    },
    "target": {
        "all": (
            r"(?:todo|todas las tareas|todos los trabajos|todas|todos)",
            r"(?:todas|todos|las|los)(?: las| los)?(?: tareas)? (?P<word>fallidas|fallidos|bloqueadas|pausadas|pendientes)(?: tareas)?",
        ),
        "queue": (
            r"cola|la|mi|nuestra|toda=>(?:(?:toda |la |nuestra |mi )?cola(?: de (?:tareas|trabajos))?(?: entera| completa)?)",
        ),
        "point": (
            r"(?:esa|ese|eso|esta|este|la última|la anterior|esa tarea|la tarea)",
        ),
    },
    "filler": {
        "filler": (
            r"(?:por favor|la|el|las|los|tarea|tareas|y|a|con|de|en|del|por|ahora|ya|puedes|podrías|me|un|una|para|que|momento|mismo|luego|gracias|lo|ejecutar|ejecuta|intenta|intentar|probar|se|al|vuelve|vuelva|esta|este|pon|quiero|número|trabajo|trabajos)",
        ),
    },
    "state": {
        "state": (
            r"(?:terminó|terminado|terminada|terminaron|lista|listo|hecho|estado|progreso|corriendo|ejecutando|esperando|bloqueada|bloqueado|falló|fallado|pausada|pendiente|va|está|resultado|queda|acabado|acabó|pasa|pasó|atascada)",
        ),
        "ask": (
            r"(?:cómo|qué|cuál|cuándo|dónde|está|están|hay|es|ya|ha|muestra|muéstrame|dime|se|la|el|de|con)",
        ),
        "explain": (r"(?:por qué|porqué)",),
    },
    "status_whole": {
        "status": (
            r"(?:muestra|muéstrame|enséñame|dime|ver|lista)(?: (?:el|la|las|los|todas|mis))* (?:estado(?: de la cola| de las tareas)?|cola(?: de tareas)?|tareas(?: (?:pendientes|en curso|fallidas|bloqueadas))?)",
            r"(?:qué|cuántas tareas|qué tareas|cuáles)(?: (?:se está|se están|está|están|hay|quedan|falta|faltan|fallaron|han))+(?: (?:ahora mismo|ahora|actualmente|todavía))?(?: (?:en la cola de tareas|ejecutando|corriendo|en curso|en la cola|en cola|pendientes|pendiente|haciendo|esperando|bloqueadas|fallado|terminado))*",
            r"(?:estado de la cola|estado de las tareas|cómo va la cola|cómo va todo|cómo vamos|cómo van las tareas|estado)",
        ),
    },
}
