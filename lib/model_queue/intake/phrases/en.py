"""English phrases."""

from __future__ import annotations

from collections.abc import Mapping

_DONE = (
    r"(?:done|finished|complete|completed|ready|through|over|in place|merged|passed|"
    r"green|successful|ok|finishes|completes|succeeds|passes|ends|finish|complete|pass|"
    r"have finished|has finished|has run|have run|is in|are in|in)"
)
_IS = r"(?:'s|'re| is| are| has been| have been| has| have| was| were| gets| get|)"
_MATERIAL = (
    r"(?:logs?|log file|log excerpt|(?:web ?)?page|site|e?-?mails?|message|messages|text|texts|"
    r"articles?|documents?|doc|docs|trace|stack ?trace|traceback|error|errors|error message|"
    r"output|console output|function|code|snippet|script|class|method|module|query|sql|"
    r"letter|transcripts?|paragraphs?|passage|reviews?|comments?|csv|table|data|json|xml|yaml|"
    r"diff|patch|config|note|notes|minutes|report|post|tweet|thread|chat|conversation|dialogue|"
    r"draft|abstract|essay|story|poem|lyrics|recipe|contract|clause|agreement|section|readme|"
    r"description|sentence|sentences|words?|phrases?|quote|excerpt|extract|content|"
    r"contents|material|feedback|ticket|bug report|complaint|review|cv|resume|job ad|"
    r"announcement|statement|speech|prompt|template|input|file|dump|stderr|stdout)"
)
_CLOCK = (
    r"(?P<clock>noon|midnight|\d{1,2}(?:[:.]\d\d)? ?(?:am\b|pm\b|a\.m\.|p\.m\.)|"
    r"\d{1,2}:\d\d(?: ?h)?|\d{1,2} ?(?:o'clock|h\b|uhr\b))"
)
_HOUR = r"(?P<hour>\d{1,2})(?! ?(?:%|percent|[a-z]{3,}))(?![\d.:])"
"""A bare hour counts behind a day only: "tomorrow at 9"."""
_DAY = (
    r"(?P<day>today|tomorrow|tonight|(?:(?:on|this|next|coming) )?(?:monday|tuesday|wednesday|"
    r"thursday|friday|saturday|sunday|mon|tue|tues|wed|thu|thurs|fri|sat|sun)\b(?!'s)|"
    r"(?:the )?day after tomorrow)"
)
_PART = r"(?P<part>early morning|morning|noon|lunchtime|afternoon|evening|night)"
_UNIT = r"(?P<unit>seconds?|secs?|minutes?|mins?|hours?|hrs?|days?|weeks?|fortnights?|h|min|m|d)\b"
_UNIT_HEADS = (
    "#second|#seconds|#sec|#secs|#minute|#minutes|#min|#mins|#hour|#hours|#hr|#hrs|#day|"
    "#days|#week|#weeks|#fortnight|#fortnights|#h|#m|#d"
)
_DAY_HEADS = (
    "on|this|next|coming|the|day|today|tomorrow|tonight|monday|tuesday|wednesday|thursday|"
    "friday|saturday|sunday|mon|tue|tues|wed|thu|thurs|fri|sat|sun"
)

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "sign_off": {
        "close": (
            r"(?:kind regards|best regards|warm regards|regards|best wishes|best|cheers|sincerely|yours sincerely|yours truly|yours|xoxo|br|rgds)",
        ),
    },
    "and": {"and": (r"(?:and|but|so)",)},
    "in_order": {
        "order": (
            (
                r"in (?:(?:this|the given|that|the|strict|exact|exactly this|the following|the same) )?(?:exact )?"
                r"(?:order|sequence)"
            ),
            r"one after (?:the other|another)",
            r"(?:one by one|sequentially|step by step|consecutively|one at a time|back to back)",
        ),
    },
    "in_parallel": {
        "parallel": (
            r"(?:in parallel|at the same time|simultaneously|concurrently|independently|in any order)",
        ),
    },
    "attachment": {
        "intro": (
            (
                r"(?:this|these|the|that|my|our|his|her|their|following|below|attached|pasted) "
                rf"(?:[a-z'-]{{1,20}} ){{0,3}}?{_MATERIAL}(?: (?:i|we) (?:got|received|wrote|have))?"
                r"(?: (?:here|below|that follows))?"
                r"(?: (?:from|by|of|about|into|to|in|as|for|on|with|and) [^:\n]{1,60})?"
            ),
            (
                r"(?:here is|here's|here are|below is|below are|this is|these are) (?:[a-z'-]{1,20} ){0,4}?"
                rf"{_MATERIAL}(?: (?:from|by|of|about|in|for|as) [^:\n]{{1,60}})?"
            ),
            (
                r"summarise|summarize|translate|proofread|rewrite|rephrase|paraphrase|explain|review|correct|shorten|polish|edit|analyse|analyze|classify|fix|improve|format|reply|answer|respond|parse|convert|transcribe|simplify|check|decode|read|refactor|debug|clean|extract|look|comment=>(?:summari[sz]e|translate|proofread|rewrite|rephrase|paraphrase|explain|review|"
                r"correct|shorten|polish|edit|analy[sz]e|classify|fix|improve|format|reply to|"
                r"answer|respond to|parse|convert|transcribe|simplify|check|decode|read|refactor|"
                r"debug|clean up|extract \w{1,20} from|look at|comment on) "
                r"(?:this|these|it|the following|that|what follows)(?: list)?"
                r"(?: (?:into|to|in|for|as|from|and) [^:\n]{1,60})?"
            ),
        ),
    },
    "points_back": {
        "back": (
            (
                r"(?:text|log|logs|code|mail|email|message|article|page|document|paragraph|"
                r"paragraphs|passage|notes|transcript|table|data|list|error|trace|output|report|"
                r"content|story|draft|letter|post|conversation|function|snippet) above"
            ),
            rf"the above(?: {_MATERIAL})?(?! (?:tasks|steps|jobs))",
            r"(?:everything|all of the) above(?! tasks)",
            rf"the (?:preceding|foregoing) {_MATERIAL}",
            (
                r"above (?:text|log|logs|code|mail|email|message|article|page|document|paragraph|"
                r"paragraphs|passage|notes|transcript|table|data|error|trace|output|content)"
            ),
        ),
    },
    "link": {
        "bare": (r"then=>then(?!-)(?! again\b)",),
        "chain": (
            r"(?:afterwards|afterward|finally|lastly|subsequently|thereafter|thereupon)",
            (
                r"after (?:that|this|which|doing that|doing so|you(?:'re| are)? (?:done|finished))"
                r"(?:'s| is| has)?(?: (?:done|finished|complete|completed))?"
            ),
            r"after (?:it|that|this)(?:'s| is| has)(?: been)? \w{1,15}",
            (
                r"once|when|as=>(?:once|when|as soon as) (?:it|that|this|they|these|those)(?:'s| is| has been| are|'re| have been|'s been)"
                r"(?: all| both| fully)? \w{2,14}(?:ed|en|ne|ade|ut|ilt|ent|own|un)(?= |,)"
            ),
            (
                r"next=>next(?: up)?(?=[,:]? )(?! (?:week|month|year|version|page|time|step is|day|"
                r"monday|tuesday|wednesday|thursday|friday|saturday|sunday|morning|to|one|release|"
                r"sprint|quarter|generation|door))"
            ),
            (
                r"last|in|at|as|for=>(?:last|in the end|at the end|as (?:a|the) (?:last|final|next) step|"
                r"for the (?:last|final|next) step|last of all)(?=,)"
            ),
            (
                rf"(?:once|when|whenever|as soon as) (?:that|this|it|you){_IS}"
                rf"(?: (?:all )?(?:{_DONE}))"
            ),
            r"(?:once|when|after|upon|on) (?:done|finished|complete|completed|ready|completion)",
            (
                r"(?:based|building|relying) on (?:that|this|it|its results?|the (?:above|result|"
                r"results|output|outcome|findings|previous (?:step|task|one|result|results)))"
                r"(?! (?:of|from|in)\b)"
            ),
            (
                r"(?:following|using|with|from) (?:that|this|that one|the result|the results|"
                r"that result|those results|its output|its results?|the output|the outcome|"
                r"the findings)(?: (?:done|in hand|ready|in place|as input|as a basis))?(?=,)"
            ),
            r"(?:with|given) (?:that|this)(?: (?:done|out of the way|in hand|in place))(?=,?)",
            r"(?:later|later on)(?=,)",
            (
                r"once|when|as=>(?:once|when|as soon as) (?:you|we)(?:'ve| have|'ll have|)? ?(?:have|got|get|have got|received|finished|done) "
                r"(?:it|them|that|those|these|everything|all of (?:it|them|that|those))(?: all)?"
            ),
        ),
        "also": (
            r"also=>also(?! (?:known|called|in|on|for|from|at|a|an|the|as)\b)",
            (
                r"(?:additionally|furthermore|moreover|besides|plus|separately|likewise|meanwhile|"
                r"in addition|on top of that|in parallel|at the same time|apart from that|"
                r"other than that|independently|unrelated|unrelatedly)(?=,? )"
                r"(?! (?:to|of|with|tax|vat|size)\b)"
            ),
            (
                r"(?:oh and|while you're at it|while you are at it|another thing|one more thing|"
                r"as a separate task|as a separate job|another task|another one|second task|"
                r"next task)(?=[,:]? )"
            ),
        ),
        "first": (
            (
                r"(?:first|firstly|first of all|first off|to start with|to begin with|"
                r"for starters|start by)(?=[,:]? )"
            ),
        ),
    },
    "ordinal": {
        "1": (
            r"(?:first|firstly|first of all|first off|first up|for starters)(?=[,:])",
            r"firstly",
        ),
        "2": (r"(?:second|second of all)(?=[,:])", r"secondly"),
        "3": (r"third(?=[,:])", r"thirdly"),
        "4": (r"fourth(?=[,:])", r"fourthly"),
        "5": (r"fifth(?=[,:])", r"fifthly"),
        "last": (r"(?:finally|lastly|last of all)",),
    },
    "fan_in": {
        "all": (
            (
                r"(?:after|once|when|as soon as|with) (?:both|all (?:that|this|of that|of this|of it)|all|everything|every|all (?:two|three|"
                r"four|five|six|\d{1,2})|they|these|those|each|the (?:two|three|four|five)|"
                r"the above)(?: (?:of (?:these|those|them|the above|that|it)|above|tasks|jobs|"
                r"steps|items|results|reports|summaries|parts|ones|one|of the (?:tasks|jobs|steps)))?"
                rf"(?:{_IS} ?(?:all |both )?(?:{_DONE}))?(?=[,:]| |$)"
            ),
            (
                r"(?:based on|using|from|with|combining) (?:both|all|all of|these|those|all (?:two|"
                r"three|four|five)|everything|the (?:two|three|four|five))"
                r"(?: (?:of )?(?:the |these |those |them )?(?:above|results|outputs|summaries|"
                r"findings|answers|reports|tasks)?)?(?=[,]|$)"
            ),
            (
                r"(?:based on) (?:both|all|everything)(?: of (?:them|these|those|the above))?"
                r"(?: results)?"
            ),
        ),
        "named": (
            (
                r"(?:based on|using|after|once|when|depends on|depending on|depend on|needs|"
                r"requires|waits for|wait for|following|from|with|combining) "
                r"(?:the )?(?:results? of |outputs? of )?(?P<names>(?:(?:tasks?|items?|steps?|jobs?|"
                r"numbers?|points?|nos?\.?) )?#?\d{1,2}(?: ?(?:,|and|&|\+|to|-) ?(?:and )?#?\d{1,2})"
                r"{0,20}|first two|first three|first four|first and (?:the )?(?:second|third|"
                r"fourth|last)|second and (?:the )?(?:third|fourth)|first(?: one)?|second(?: one)?|"
                r"third(?: one)?|last two|previous two|(?:previous|last) one|task above)"
                r"(?! ?(?:%|days?|hours?|minutes?|weeks?|months?|years?|am|pm|o'clock|:|users?|"
                r"people|items|rows|times|retries|attempts|[a-z]{4,}s\b))"
                rf"(?: (?:tasks|items|steps|jobs|ones))?(?:{_IS} (?:all |both )?(?:{_DONE}))?"
                r"(?=[,:)\].;]| |$)"
            ),
        ),
        "keep": (
            (
                r"merge|combine|consolidate|collate|compile|join|aggregate|synthesise|synthesize|unify|bundle|stitch|roll|pull|put|compare|cross|condense|fold|summarise|summarize|assemble|integrate=>(?:merge|combine|consolidate|collate|compile|join|aggregate|synthesi[sz]e|unify|"
                r"bundle|stitch|roll up|pull together|put together|compare|cross-check|condense|"
                r"fold|summari[sz]e|assemble|integrate) "
                r"(?:(?:together )?(?:all|both|everything|all of)(?: (?:of )?(?:the|these|those|"
                r"them|your))?(?: [a-z]{1,15}){0,2}|(?:the|these|those) (?:two|three|four|five|six)"
                r"(?: [a-z]{1,15}){0,2}|(?:the|these|those) (?:results|outputs|findings|answers)|"
                r"them (?:all|both)|them|the above)"
            ),
        ),
    },
    "depends": {
        "ids": (
            (
                r"depend|depends|depending|dependent|dependant|based|building|relies|waiting=>(?:depends?|depending|dependent|dependant|based|building|relies|waiting) (?:up)?on "
                r"(?:the (?:result|results|output|outcome|success|completion) of )?(?P<ids>{ids})"
            ),
            (
                rf"(?:after|once|when|as soon as|following|until) (?P<ids>{{ids}})"
                rf"(?:{_IS} (?:all |both )?(?:{_DONE}))?"
            ),
            (
                r"needs|requires|needing|requiring|blocked|wait|waits|waiting|using|with|given=>(?:needs|requires|needing|requiring|blocked by|waits? for|waiting for|wait on|"
                r"using|with|given) (?:the (?:result|results|output|outcome) of )(?P<ids>{ids})"
            ),
            (
                r"needs|requires|blocked|wait|waits|waiting|dependency|dependencies|depends|deps|dep|prerequisite=>(?:needs|requires|blocked by|waits? for|waiting for|wait on|wait until|"
                rf"dependency:|dependencies:|depends:|depends_on:|deps:|dep:|prerequisite:|requires:) "
                rf"?(?P<ids>{{ids}})(?: first)?(?:{_IS} (?:all |both )?(?:{_DONE}))?"
            ),
            r"(?:use|take) the (?:result|results|output) of (?P<ids>{ids})",
            r"wait|t=>(?:wait (?:for|until) )?(?P<ids>{ids}) (?:first|is done|are done|finishes)?,? ?(?:and )?then",
            r"only|if|provided=>(?:only if|if|provided) (?P<ids>{ids}) (?:succeeds?|is successful|are successful|pass(?:es)?|works?|goes through|worked|succeeded)",
        ),
    },
    "policy": {
        "continue": (
            (
                r"(?:even|also) (?:if|when|though) [^.;\n]{1,50}?(?:fails?|failed|breaks?|errors? out|"
                r"goes wrong|crash(?:es)?|(?:is|are)n't successful|does(?:n't| not) (?:work|succeed)|"
                r"did(?:n't| not) (?:work|succeed))"
            ),
            (
                r"(?:regardless|irrespective)(?: of (?:whether|how|the|what|if|any) [^.;,\n]{1,50}"
                r"| of failures?| of errors?)?"
            ),
            r"(?:no matter|whether or not|whatever) [^.;\n]{1,50}",
            (
                r"(?:run|do|continue|carry on|go on|proceed|keep going|go ahead)(?: it| with it)? "
                r"(?:anyway|regardless|anyhow|either way|in any case)"
                r"(?: if [^.;\n]{1,40}(?:fails?|failed|goes wrong))?"
            ),
            (
                r"(?:if|when|should) [^.;,\n]{1,50}(?:fails?|failed|breaks?|errors?|goes wrong),? "
                r"(?:then )?(?:please )?(?:just )?(?:continue|carry on|go on|proceed|keep going|go ahead|"
                r"do it|run it|move on|[a-z]{2,12} (?:it|them|this|that|those)(?= anyway| regardless| anyhow))(?: (?:anyway|regardless|anyhow|with [^.;\n]{1,30}))?"
            ),
            (
                r"(?:continue|carry on|go on|proceed|keep going|go ahead)(?: anyway)? (?:if|when|even if|"
                r"on) [^.;\n]{0,50}?(?:fails?|failed|failures?|errors?|goes wrong)"
            ),
            r"ignore (?:any )?(?:failures?|errors?)(?: of [^.;\n]{1,30})?",
            r"(?:in any case|either way|anyway)",
        ),
        "skip": (
            (
                r"skip|drop|leave|omit|forget|just|please=>(?:just |please )?(?:skip|drop|leave out|omit|forget) (?:it|this|that|this one|"
                r"that one|this step|this task|the second|the last one|the rest|[^.;,\n]{1,40}?) "
                r"(?:if|when|in case|on|should) [^.;\n]{0,50}?(?:fails?|failed|failures?|errors?|"
                r"breaks?|goes wrong|does(?:n't| not) (?:work|succeed))"
            ),
            (
                r"(?:if|when|in case|should) [^.;,\n]{1,50}(?:fails?|failed|breaks?|goes wrong|"
                r"does(?:n't| not) (?:work|succeed)),? (?:then )?(?:please )?(?:just )?"
                r"(?:skip|drop|leave out|omit|forget)(?: [^.;,\n]{1,40})?"
            ),
            r"(?:otherwise|or else) (?:skip|drop)(?: it| this| that)?",
        ),
        "block": (
            (
                r"only|just|but=>(?:but )?(?:only|just) (?:if|when|after|once) [^.;\n]{1,50}?(?:succeeds?|succeeded|"
                r"passes|passed|works?|worked|is successful|was successful|is ok|went well|goes well|"
                r"completes successfully|is green|are green|pass)"
            ),
            (
                r"(?:provided|assuming|given|as long as)(?: that)? [^.;\n]{1,50}?(?:succeeds?|"
                r"succeeded|passes|works?|worked|is successful|pass)"
            ),
            (
                r"(?:stop|halt|block|wait|hold)(?: it| there| here)? (?:if|when|on) [^.;\n]{0,50}?"
                r"(?:fails?|failed|failures?|errors?|goes wrong)"
            ),
            (
                r"(?:if|when) [^.;,\n]{1,50}(?:fails?|failed),? (?:then )?(?:stop|halt|block|wait)"
                r"(?: (?:it|there|here|everything))?"
            ),
            r"(?:unless) [^.;\n]{1,50}?(?:fails?|failed)",
        ),
    },
    "priority": {
        "10": (
            r"urgent|critical|critically|super|very|really|most=>(?:super |very |really |most )?(?:urgent|critical|critically important)",
            (
                r"(?:this|it|that|these|they|its|thats)(?:'s| is| are|'re)? (?:all )?(?:very |really |super |quite )?"
                r"(?:urgent|critical)"
            ),
            r"urgent|critical|top|highest|maximum|max|utmost|with=>(?:with )?(?:urgent|critical|top|highest|maximum|max|utmost) (?:priority|prio)",
            (
                r"asap|a|as|p0|urgently|prio|emergency|blocker=>(?:asap|a\.s\.a\.p\.|as soon as possible|p0|urgently|prio 0|emergency|blocker)"
                r"(?![a-z0-9-])"
            ),
            r"priority|prio=>(?:priority|prio)[:=]? ?(?:urgent|critical|highest|top|max)",
            (
                r"(?:need|needed|want|do) (?:it|this|that|them) (?:done )?(?:asap|urgently|"
                r"as soon as possible)"
            ),
            r"(?:needed|due) (?:asap|urgently)",
        ),
        "5": (
            r"high|higher|elevated|a|with|as|at=>(?:with |as |at )?(?:a )?(?:high|higher|elevated) (?:priority|prio)",
            r"priority|prio=>(?:priority|prio)[:=]? ?(?:high|higher|1st|one)",
            r"(?:p1|prio 1|high-priority|high-prio)(?![a-z0-9-])",
            r"(?:this|it|that)(?:'s| is) (?:a )?(?:high[ -]priority|high prio|important)",
        ),
        "0": (
            r"normal|default|medium|standard|regular|with|at=>(?:with |at )?(?:normal|default|medium|standard|regular) (?:priority|prio)",
            r"priority|prio=>(?:priority|prio)[:=]? ?(?:normal|default|medium|standard)",
            r"(?:p2|prio 2|medium-priority)(?![a-z0-9-])",
        ),
        "-5": (
            r"low|lower|lowest|minor|a|with|at|as=>(?:with |at |as )?(?:a )?(?:low|lower|lowest|minor) (?:priority|prio)",
            r"priority|prio=>(?:priority|prio)[:=]? ?(?:low|lower|lowest)",
            r"(?:p3|p4|prio 3|low-priority|low-prio)(?![a-z0-9-])",
            (
                r"(?:no|not in a|there's no|there is no|not a|without) "
                r"(?:rush|hurry|big rush|real rush|great hurry|haste|urgency|particular hurry)"
                r"(?: (?:on|for|with) (?:this|that|it|this one|that one|these|them))?"
            ),
            (
                r"is|isn|it|not|this|non|that=>(?:this |it |that )?(?:is not|isn't|it's not|not|this isn't|non-) ?(?:so |that |very |at all )?"
                r"(?:urgent|critical|time-critical|pressing)(?: at all)?"
            ),
            (
                r"(?:whenever|when) (?:you (?:have|find|get) (?:time|a (?:moment|minute|chance))|"
                r"convenient|there's time|there is time|you like|you can|idle)"
            ),
            (
                r"(?:at your leisure|take your time|can wait|it can wait|this can wait|"
                r"low importance|nice to have|nice-to-have|someday|in your own time|backlog)"
            ),
        ),
        "number": (
            r"priority|prio|with|at=>(?:with |at )?(?:priority|prio)(?: level| of| is|:|=)? ?(?P<n>-?\d{1,3})(?![\d.])",
            r"(?:prio|p)=(?P<n>-?\d{1,3})(?!\d)",
        ),
    },
    "time": {
        "delay": (
            rf"in (?:about |around |roughly )?(?P<n>{{num}}) {_UNIT}(?:' time)?(?: from now)?",
            r"in (?P<n>{num})(?P<unit>h|min|m|d|hrs|hours|mins)\b",
            r"in (?P<n>an?|one) (?P<unit>hour) and a half",
            rf"(?:after|wait) (?P<n>{{num}}) {_UNIT}(?=[,:])",
            rf"{_UNIT_HEADS}=>\d{{1,4}} {_UNIT} (?:from now|later)",
            r"(?:half an|an|one|two|three) (?P<unit>hours?) (?:from now|later)",
        ),
        "day": (
            rf"{_DAY_HEADS}=>{_DAY}(?: {_PART})?(?:,? (?:at |around |from )?{_CLOCK}|,? at {_HOUR})?",
            rf"(?:at|from|around) (?P<hour>\d{{1,2}}) (?:in the |this ){_PART}",
            rf"at {_CLOCK},? {_DAY}(?: {_PART})?",
            rf"(?:at|from|around|starting at) {_CLOCK}(?: (?:in the |this )?{_PART}| tonight)?",
            r"#am|#pm|#:=>\d{1,2}(?::\d\d)? ?(?:am|pm),? (?P<day>today|tomorrow)",
            r"(?:this|in the|later this) (?P<part>morning|afternoon|evening)",
            r"overnight|tonight|later=>(?P<day>overnight|tonight|later tonight|later today)",
            r"(?:over|on|at|this|next) (?:the )?(?P<day>weekend)",
            r"(?:next|early next|the first day of next) (?P<day>week|month|year)",
            (
                r"(?:first thing|early|late|later) (?P<day>tomorrow|monday|tuesday|wednesday|thursday|"
                r"friday|saturday|sunday)(?: (?P<part>morning|afternoon|evening))?"
            ),
        ),
        "date": (
            (
                rf"on|at|from|starting|not|after|#-=>(?:(?:on|at|from|starting|not before|after) )?"
                rf"(?P<iso>\d{{4}}-\d\d-\d\d)(?:(?: |t|,? at ){_CLOCK})?z?"
            ),
            (
                r"(?:on|at|from|starting|not before) (?P<words>(?:the )?(?:\d{1,2}(?:st|nd|rd|th)?"
                r" (?:of )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6}|"
                r"(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]{0,6} "
                rf"\d{{1,2}}(?:st|nd|rd|th)?)(?:,? \d{{4}})?)(?:,? (?:at )?{_CLOCK})?"
            ),
            (
                r"(?:on|from|starting|not before) (?P<words>\d{1,2}[./]\d{1,2}(?:[./]\d{2,4})?)"
                rf"(?:,? (?:at )?{_CLOCK})?"
            ),
        ),
    },
}
