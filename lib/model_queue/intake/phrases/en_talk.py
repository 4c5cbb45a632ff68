"""English ways of asking, greeting and commanding."""

from __future__ import annotations

from collections.abc import Mapping

_YOU = r"(?:you|u|we|someone|somebody)"
_QUEUE = r"(?:the |our |my |your )?(?:(?:task|model|work|job)[ -])?queue"
_WAYS = r"(?:add|create|enqueue|queue|put|make|schedule|register|file|open|log|append|submit|insert)"
_TASK = r"(?:(?:a|an|another|one|one more|the following|this|these|those|new|some|two|three|my) ){0,3}"

PHRASES: Mapping[str, Mapping[str, tuple[str, ...]]] = {
    "polite": {
        "please": (
            r"(?:please|pls|plz|kindly|pretty please)",
            (
                rf"(?:can|could|would|will|cud|may|might) {_YOU} (?:please |kindly |pls |possibly |also |"
                r"maybe |quickly |just |perhaps )*(?:help me (?:to |with )?|go ahead and |try to |try and )?"
            ),
            rf"(?:can|could|would|will) {_YOU} (?:be so kind as to|be able to|manage to)",
            r"would you mind",
            r"(?:would it be|is it|might it be) (?:possible|ok|okay|alright|feasible)(?: for you)? to",
            r"(?:is|would) there (?:be )?(?:any|a) (?:way|chance) (?:that )?you (?:could|can|would|might)",
            r"(?:i was wondering|i wonder|wondering) if you (?:could|can|would|might)(?: please)?",
            r"do you mind",
            (
                r"(?:i|we)(?:'d| would)? (?:really |just |also |now )?(?:need|want|like|love|wish|"
                r"would like|would love) (?:(?:you|someone|somebody|the team|it) )?to "
                r"(?:have you |be able to )?(?!know\b|say\b|ask\b|thank\b|be\b|see\b|understand\b)"
            ),
            (
                r"(?:i|we)(?:'d| would) (?:really )?(?:appreciate|be grateful|be happy) (?:it )?if you "
                r"(?:could|would|can)"
            ),
            (
                r"(?:it would|it'd) be (?:great|nice|good|lovely|helpful|awesome|cool|super) if you "
                r"(?:could|would|can)"
            ),
            (
                r"(?:any chance|is there any chance|is there a chance|is it possible) (?:that )?you "
                r"(?:could|can|would)"
            ),
            r"be|do=>(?:be so kind|be a dear|do me a favou?r|do us a favou?r)(?: and| to)?",
            r"(?:help me|help us|help) (?:to |out )?",
            r"(?:let's|lets|let us)",
            (
                r"(?:go ahead and|feel free to|make sure to|try to|try and|remember to|"
                r"don't forget to|you should|you need to|you can|you could|you may|i want you to|"
                r"i need you to|we should|we need to|we ought to|we have to|we must|we'd better|someone should|somebody should|why don't you|why not|i'd like you to|i would like you to)"
            ),
            r"your|the=>(?:your (?:task|job|mission) is to|the task is to|the job is to)",
        ),
        "want": (
            (
                r"(?:i|we)(?:'d| would)? (?:really |just |also |now |urgently )?(?:need|want|like|"
                r"would like)(?! (?:to know|to say|to ask|to thank|it|that|this|you)\b)"
            ),
            r"(?:give me|get me|i'll take|i'll have|how about|what about)(?= (?:a|an|the|some|two|three|five))",
        ),
        "filler": (
            (
                r"(?:so|um|uh|erm|hmm|well|ok|okay|alright|right|now|just|like|maybe|perhaps|actually|"
                r"basically|also|and|oh|ah|hey|then|kinda|quickly|simply)(?=[, ])(?! (?:that|far|well|as)\b)"
            ),
            (
                r"(?:for me|if possible|if you can|when possible|real quick|you know|i mean|"
                r"i guess|i think)(?=[, ])"
            ),
        ),
    },
    "polite_tail": {
        "please": (
            (
                r"(?:please|pls|plz|thanks|thank you|thx|ty|cheers|ta|many thanks|thanks a lot|"
                r"thank you very much|thanks in advance|much appreciated|kindly|for me|for us|"
                r"if you can|if you could|if possible|would you|could you|will you|can you|ok|okay|"
                r"when you can|if you don't mind|if that's ok|thanks so much|thank you so much|"
                r"that would be great|that'd be great|please and thank you|will be great|"
                r"would be great|would be nice|first please|thanks again)"
            ),
        ),
    },
    "greeting": {
        "hello": (
            (
                r"hi|hello|hey|heya|hiya|yo|howdy|greetings|hallo|dear|morning|good|sup|evening|afternoon|g|welcome|happy=>(?:hi|hello|hey|heya|hiya|yo|howdy|greetings|hallo|dear|morning|good (?:morning|afternoon|"
                r"evening|day)|sup|evening|afternoon|g'day|welcome back|happy \w{3,9})"
                r"(?: (?:there|all|everyone|team|folks|guys|again|bot|claude|assistant|agent|friend|"
                r"mate|buddy|you|both))?(?=[,!.:\n]|$| -|[^a-z ]| [^a-z0-9 ])"
            ),
            r"(?:hi|hello|hey|yo)(?: there| again| team| all| bot| assistant)?(?= )",
        ),
        "thanks": (
            (
                r"thanks|thank|thx|ty|cheers|many|much|appreciate|tysm|kudos=>(?:thanks|thank you|thx|ty|cheers|many thanks|much obliged|thanks a (?:lot|bunch|"
                r"million|ton)|much appreciated|appreciate it|thank u|tysm|kudos)"
                r"(?: (?:a lot|so much|very much|again|in advance|everyone|for (?:your|the|all|"
                r"everything|that|this)(?: [a-z]{1,12}){0,5}|all|man|mate|team))*(?=[,!.:;\n]|$| -)"
            ),
        ),
        "ack": (
            (
                r"ok|okay|k|great|good|nice|cool|perfect|awesome|sure|yes|yep|yeah|no|nope|fine|alright|got|sounds|looks|lgtm|well|never|nevermind|you|see|bye|goodbye|excellent|wow|lol|haha|hmm|oops|sorry|right|amazing|brilliant|lovely|wonderful|congrats|congratulations|that|take|have|hope|how|what|go|hold|wait|just|one|hang|do=>(?:go ahead|go for it|hold on|hang on|do it|"
                r"(?:wait |hold on |hang on |just )(?:a|one) (?:minute|moment|second|sec|min)|"
                r"one (?:moment|second|sec)|ok|okay|k|great|good|nice|cool|perfect|awesome|sure|yes|yep|yeah|no|nope|fine|"
                r"alright|got it|sounds good|looks good|lgtm|well done|good job|great job|good work|"
                r"never mind|nevermind|no worries|no problem|you're welcome|see you|bye|goodbye|"
                r"good night|excellent|wow|lol|haha|hmm|oops|sorry|right|amazing|brilliant|lovely|"
                r"wonderful|congrats|congratulations|that's all|that's it|that is all|take care|"
                r"have a (?:good|nice|great) [a-z]{3,9}|hope you're well|hope all is well|"
                r"hope you are well|how are you(?: doing)?(?: today)?|what's up|how's it going)"
                r"(?=[,!.:;?\n]|$)"
            ),
        ),
        "onward": (
            r"and|next|go|carry|keep|continue|proceed=>(?:and )?(?:next one|next time|go on|carry on|keep going|continue|proceed)(?: then)?(?: please)?(?=[.,!? …]{0,9}$)",
        ),
    },
    "trigger": {
        "task": (
            (
                rf"{_WAYS}(?: up)? {_TASK}(?:new )?(?:tasks?|jobs?|items?|work items?|todos?|to-dos?|"
                rf"requests?)(?: (?:to|on|in|into|onto|for|at) {_QUEUE})?(?: please| for me| for later)?"
                r"(?= ?[:,\n-]| |$)"
            ),
            (
                r"new (?:tasks?|jobs?|todos?|work items?)(?: for (?:you|the queue|later|today))?"
                rf"(?: (?:on|in|for) {_QUEUE})?(?= ?[:\n-]| ?$| ?[,(][^:\n]{{1,30}}:)"
            ),
            r"task|tasks|todo|to|job|request=>(?:tasks?|todo|to-do|to do|job|request)(?= ?:)",
            (
                r"(?:another|one more|next|a new|here's a|here is a|here's another|i have a|got a) "
                r"(?:new )?(?:task|job)(?: for you)?(?= ?[:\n-])"
            ),
        ),
        "queue": (
            (
                rf"(?:add|put|place|drop|stick|throw|push|get|append|enter)(?: up)? (?:this|these|those|that|it|them|"
                r"the following|all of this|all of these|everything)?(?: (?:one|two|three|tasks?|"
                rf"jobs?|things?|items?|work))? ?(?:to|on|in|into|onto|in to|on to) {_QUEUE}"
                r"(?: please| for me| for later)?(?= ?[:,.;\n-]| |$)"
            ),
            (
                r"(?:queue|enqueue|queue up)(?: up)? (?:this|these|those|that|it|them|the following|"
                r"all of this|all of these)(?: (?:one|two|three|tasks?|jobs?|things?|items?|work))?"
                r"(?: up)?(?: please| for me| for later| next)*(?= ?[:,.;\n-]| |$)"
            ),
            r"(?:queue|enqueue)(?: up)?(?= ?:)",
            r"for the (?:task |model )?queue(?= ?[:,\n-])",
            r"to the (?:task |model )?queue(?= ?[:\n-])",
        ),
        "delegate": (
            (
                r"(?:do|handle|take care of|deal with|work on|get on with|tackle|run|execute|process|"
                r"complete|take|carry out) (?:this|these|it|the following|that)(?: (?:task|job|one|"
                r"tasks|jobs|things|work))?(?: for (?:me|us))?(?: please)?(?= ?[:\n-])"
            ),
            (
                r"(?:do|handle|take care of|deal with) (?:this|these|it|the following) for (?:me|us)"
                r"(?= ?[:,\n-])"
            ),
        ),
    },
    "courtesy": {
        "polite": (
            r"(?:please|pls|plz|kindly|ok|okay|so|and|now|also|oh|quick one|one more thing)(?=[,: ])",
            r"(?:can|could|would|will) you (?:please |kindly |pls )*(?:go ahead and )?",
            r"(?:i'd like you to|i would like you to|i want you to|i need you to|would you mind|let's|go ahead and)",
        ),
    },
    "ambient_trigger": {
        "task": (
            (
                rf"{_WAYS} (?:(?:a|another|one more|the following|these|two|three|some|the|this) )?"
                r"(?:new )?(?:tasks?|jobs?|todos?|to-dos?|work items?)(?: please| for me| for later)?"
                r"(?= ?(?:[:\n]|- |-- |—|[,(][^:\n]{1,30}:))"
            ),
            r"new (?:task|tasks|job|todo|work item)(?: for (?:you|the queue|later))?(?= ?(?:[:\n]|- |-- |—|[,(][^:\n]{1,30}:))",
        ),
        "queue": (
            (
                rf"{_WAYS} (?:(?:a|another|one more|the following|these|two|three|some|the|this) )?"
                r"(?:new )?(?:tasks?|jobs?|todos?|items?|work items?) (?:to|on|in|into|onto) "
                r"(?:the |our |my |your )?(?:(?:task|model|work)[ -])?queue"
                r"(?: please| for me)?(?= ?(?:[:\n]|- |-- |—|to [a-z]))"
            ),
            (
                r"(?:add|put|place|drop|stick|throw|push) (?:this|these|the following|all of this|all of these|this one) "
                r"(?:to|on|in|into|onto) (?:the |our |my |your )?(?:(?:task|model|work)[ -])?queue"
                r"(?: please| for me| for later)?(?= ?(?:[:\n,]|- |-- |—))"
            ),
            (
                r"(?:queue|enqueue)(?: up)? (?:this|these|the following|this one|this task|these tasks|this job|these jobs|"
                r"a task|a job|a new task)(?: up)?(?: please| for me| for later| for tonight)?(?= ?(?:[:\n]|- |-- |—|[,(][^:\n]{1,30}:))"
            ),
            (
                r"(?:add|put|place|append|push) (?:to|on|in|into|onto) (?:the |our |my |your )?"
                r"(?:(?:task|model|work)[ -])?queue(?: please)?(?= ?[:\n])"
            ),
            r"(?:queue up|queue a task|enqueue)(?: a task)?(?= ?:)",
            r"(?:for|to|on) the (?:task |model )queue(?= ?:)",
        ),
    },
    "ambient_tail": {
        "clause": (
            (
                r"add|put|place|drop|stick|and|then|please|also|just=>(?:,? ?and |then |please |also |just )*(?:add|put|place|drop|stick) (?:this|that|it|these|those|them|all of that) "
                r"(?:to|on|in|into|onto) (?:the |our |my |your )?(?:task|model)[ -]queue"
            ),
            (
                r"add|put|place|drop|stick|and|then|please|also|just=>(?:,? ?and |then |please |also |just )*(?:add|put|place|drop|stick) (?:this|that|all of that|all of this) "
                r"(?:to|on|in|into|onto) (?:the|our|my|your) queue"
            ),
            (
                r"add|and|then|please=>(?:,? ?and |then |please )*add (?:this|that|it) as a (?:new )?task (?:to|on|in) (?:the |our |my |your )?"
                r"(?:(?:task|model)[ -])?queue"
            ),
        ),
        "own": (
            r"queue|enqueue|and|then|please|just=>(?:and |then |please |just )*(?:queue|enqueue) (?:this|that|it|these|those)(?: up)?(?: for (?:me|later|tonight))?",
            r"add|put|place|and|then|please|just=>(?:and |then |please |just )*(?:add|put|place) (?:it|them|these|those) (?:to|on|in|into|onto) (?:the|our|my|your) queue",
        ),
    },
    "trigger_tail": {
        "queue": (
            (
                r"add|put|place|drop|stick|throw|push|and|then|please|also|just=>(?:and |then |please |also |just )*(?:add|put|place|drop|stick|throw|push) (?:this|that|it|"
                rf"these|those|them|all of that|all of this) (?:to|on|in|into|onto) {_QUEUE}"
            ),
            (
                r"queue|enqueue|and|then|please|also|just=>(?:and |then |please |also |just )*(?:queue|enqueue) (?:this|that|it|these|those|them)(?: up)?"
                r"(?: for (?:me|later|tonight))?"
            ),
            (
                rf"add|and|then|please=>(?:and |then |please )*add (?:this|that|it|these|them) as (?:a )?(?:new )?tasks?"
                rf"(?: (?:to|on|in) {_QUEUE})?"
            ),
            rf"as=>(?:as a (?:new )?task|as a (?:new )?task (?:for|on|in) {_QUEUE})",
            r"(?:for|on|to) (?:the|our|my) (?:task|model) queue",
        ),
    },
    "announce": {
        "jobs": (
            (
                r"task|tasks|to|things|jobs|items|requests|chores|errands|agenda|list|backlog|plan|work|these|following|those|stuff|points|assignments|both|all|everything|them|this|that|it|order|sequence|ones|action|next|steps|deliverables=>(?:tasks?|to-?dos?|to do(?: list)?|things|jobs|items|requests|chores|errands|agenda|"
                r"list|backlog|plan|work|these|following|those|stuff|points|assignments|both|all|"
                r"everything|them|this|that|it|order|sequence|ones|work items|action items|next steps|"
                r"steps|deliverables)"
            ),
            r"(?:two|three|four|five|six|seven|several|some|few|couple)",
        ),
    },
    "select": {
        "use": (
            (
                r"use|using|with|via|through|take|pick|choose|employ|try|go|switch|select|utilise|utilize|run|model|source|queue|prefer=>(?:use|using|with|via|through|take|pick|choose|employ|try|go with|switch to|select|"
                r"utili[sz]e|run with|model:|source:|queue:|model =|model=|prefer)"
            ),
            r"(?:please|preferably|ideally) (?:use|using|with|on|via)",
        ),
        "noun": (r"(?:model|source|queue)",),
        "agent": (r"(?:have|let|ask|get|tell|make|i want|i need|want|need)",),
        "send": (
            (
                r"(?:send|give|assign|route|hand|pass|forward|delegate|dispatch|submit|direct|leave|"
                r"offload|push|outsource)(?: (?:this|it|that|these|those|them|the following|all of this|all of these|"
                r"all|everything|both|the (?:task|job|work)))?(?: (?:one|task|job|tasks|jobs|over|off|along))* (?:to|for)"
            ),
        ),
        "run": (
            (
                r"(?:run|do|execute|process|work|queue|put|start|perform|handle|schedule|launch|place)"
                r"(?: (?:this|it|that|these|those|them|the following|all of this|all of these|all|"
                r"everything|both))?(?: (?:one|task|job|tasks|jobs))? (?:on|with|using|via|in|through|onto)"
            ),
        ),
        "on": (r"(?:on|in|at|by|from)",),
    },
    "scope_word": {
        "word": (
            (
                r"all|everything|both|each|these|those|this|that|them|it|of|the|do|run|please|use|using|with|on|via|for|and|to|task|tasks|job|jobs|one|ones|item|items|should|must|go|goes|be|is|are|done|by|in|everyone|every|whole|lot|thing|things|send|put|take|give|let|model|models|source|queue|my|our|want|i|like|have|make|but|only|just|stuff|here|pls|thanks|thank|you|handle|process|handled|processed|executed|ran|work|step|steps|so|as|well|too|gets|get|can|any|if|possible|treat|mark|consider|set|priority|prio|they|also|instead|then|prefer|preferably|choose|pick|assign|route=>(?:all|everything|both|each|these|those|this|that|them|it|of|the|do|run|please|use|"
                r"using|with|on|via|for|and|to|tasks?|jobs?|ones?|one|items?|should|must|go|goes|"
                r"be|is|are|done|by|in|everyone|every|whole|lot|thing|things|send|put|take|give|let|"
                r"model|models|source|queue|my|our|want|i|i'd|like|have|make|but|only|just|stuff|"
                r"here|pls|thanks|thank|you|handle|process|handled|processed|executed|ran|work|steps?|"
                r"so|as|well|too|goes|work|gets|get|can|any|if|possible|treat|mark|consider|set|"
                r"priority|prio|they|also|instead|then|prefer|preferably|choose|pick|assign|route|of)"
            ),
        ),
    },
    "position": {
        "at": (
            r"(?:first|second|third|fourth|fifth|sixth|last|final|1st|2nd|3rd|4th|5th)",
            r"(?:task|item|step|job|number) #?\d{1,2}",
            r"#=>#\d{1,2}",
            r"#=>\d{1,2}(?![\d.%]|:\d)",
        ),
        "first": (r"(?:first|initial|top) (?P<n>two|three|four|five|six|\d{1,2})",),
        "last": (r"(?:last|final|bottom) (?P<n>two|three|four|five|six|\d{1,2})",),
        "rest": (
            r"(?:rest|others|other|remaining|remainder|other ones)(?: of (?:them|it|the tasks))?",
        ),
    },
    "search": {
        "web": (
            (
                r"(?:google|bing|duckduckgo)(?! (?:sheets?|docs?|drive|analytics|ads|calendar|maps?|"
                r"cloud|search console|play|forms?|slides)\b)"
            ),
            (
                r"(?:search|check|browse|scour|look on|look at|go) (?:on )?(?:the )?(?:web|internet|net|"
                r"online|google|wikipedia|bing)(?: for)?"
            ),
            (
                r"(?:search|look)(?: up)? (?:for )?[^,.;:\n]{1,60}? (?:online|on the (?:web|internet|net)"
                r"|on google|on wikipedia|in google)"
            ),
            (
                r"(?:look up|search for)(?! [^.\n]{0,60}\b(?:in|across|through|throughout|inside|within)"
                r" (?:the|our|my|this|all|every|these)\b)"
            ),
            r"do|run=>(?:do a |run a |do a quick )(?:web|google|internet|online) search(?: for| on)?",
        ),
    },
    "remind": {
        "remind": (
            r"(?:remind|wake|ping|nudge|alert) (?:me|us)",
            (
                r"(?:set|start|create|make|add|put)(?: me| up)? (?:an?|the|my) (?:[a-z0-9:-]{1,12} ){0,3}"
                r"(?:reminder|alarm|timer|countdown|calendar (?:entry|event|invite))"
            ),
            r"(?:set|start)(?: an?| my)? (?:alarm|timer|reminder)",
            (
                r"put|add|enter|note|block|save=>(?:put|add|enter|note|block|save)[^.\n]{1,60} (?:in|on|to|into) (?:my|the|our) "
                r"(?:calendar|diary|agenda|schedule)"
            ),
            (
                r"(?:add|create|make|schedule|book)(?: me)? (?:an? )?(?:new )?(?:calendar (?:entry|event|"
                r"invite)|appointment|reminder)"
            ),
            (
                r"(?:schedule|book|arrange|set up) (?:an? |the |my |our )?(?:[a-z-]{1,15} ){0,3}"
                r"(?:meeting|call|appointment|dentist)"
            ),
            r"(?:block|reserve) (?:off )?(?:[^.\n]{1,30} )?(?:in|on) my calendar",
            r"don't let me forget",
        ),
    },
}
