"""English word lists of the rules, as alternations for regular expressions."""

ADVERBS = (
    "now|currently|actually|really|also|just|recently|still|absolutely|truly|personally|honestly|"
    "definitely|only|officially|basically|mostly|mainly|particularly|especially|finally|already|"
    "simply|genuinely|quite|very much|pretty much|always|totally|strictly|severely|mildly|highly|"
    "extremely|very|so|both|certainly|originally|sadly|unfortunately|happily|currently|seriously"
)
LEAD_INS = (
    "well|oh|ah|hi|hey|hello|hmm+|haha+|yes|yeah|yep|no|nope|ok|okay|sure|thanks|thank you|"
    "also|and|"
    r"but|so|btw|by the way|fyi|ps|p\.s\.|note|update|correction|edit|actually|honestly|anyway|"
    "plus|"
    "to be honest|just so you know|for your information|as i said|as you know|like i said|as "
    "for me|"
    "in fact|you know|i mean|for the record|for context|some context|context|a bit about me|"
    "about me|"
    "right now|these days|nowadays|at the moment|currently|now|recently|lately|today(?! is)|"
    "yesterday|"
    r"(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter)|in (?:19|20)\d\d|"
    r"(?:\w+|a few) (?:years|months|weeks) ago|besides|"
    r"in addition|additionally|moreover|furthermore|personally|"
    "(?:it|as it) turns out(?: that)?|turns out(?: that)?|"
    r"(?:please )?(?:remember|note|keep in mind|don't forget|be aware)(?: that)?(?! to\b)|"
    "i (?:wanted|want|'d like) to (?:tell you|mention|add) that|for example|first|firstly|"
    "secondly|"
    r"there|everyone|friend|buddy|assistant|ai companion|ai|in case you forgot|"
    r"good (?:morning|afternoon|evening)|nice to meet you|you're right|that's right|of course|great"
)
OCCUPATIONS = (
    "accountant|actor|actress|analyst|architect|artist|astronomer|attorney|baker|barista|bartender|"
    "biologist|bookkeeper|bricklayer|builder|bus driver|truck driver|taxi driver|butcher|carpenter|"
    "cashier|chef|chemist|civil servant|cleaner|clerk|coach|composer|consultant|contractor|"
    "copywriter|"
    "curator|dancer|data scientist|dentist|designer|developer|devops|dietitian|director|doctor|"
    "economist|editor|electrician|engineer|entrepreneur|farmer|filmmaker|firefighter|fisherman|"
    "florist|freelancer|gardener|geologist|hairdresser|historian|illustrator|interpreter|"
    "journalist|"
    "judge|lawyer|lecturer|librarian|manager|mathematician|mechanic|midwife|musician|nurse|"
    "nutritionist|"
    "optician|painter|paramedic|pharmacist|photographer|physician|physicist|physiotherapist|pilot|"
    "plumber|poet|police officer|postdoc|postman|producer|professor|programmer|psychiatrist|"
    "psychologist|radiologist|realtor|receptionist|recruiter|researcher|sailor|salesman|"
    "salesperson|"
    "scientist|sculptor|secretary|social worker|soldier|statistician|student|surgeon|surveyor|"
    "tailor|"
    "teacher|technician|therapist|translator|tutor|undergraduate|veterinarian|vet|videographer|"
    "waiter|"
    "waitress|web developer|welder|writer|novelist|zoologist|stay-at-home (?:mom|mum|dad|parent)"
)
SPEAKING = "(?:give|answer|reply|respond|write|explain|mention|quote|suggest|recommend|cite)"
NOT_JOB_WORDS = (
    "good|great|bad|terrible|better|slow|fast|poor|former|aspiring|future|would-be|wannabe|visual|"
    "natural|born|fan|lover|beginner|fake|real|true|such|bit|not|hopeless|lousy|decent|amateur"
)
INSTRUCTING = (
    "answer|reply|respond|write|speak|talk|use|keep|give(?! up)|be|call|address|explain|show|add|"
    "include|avoid|end|start|format|cite|convert|translate|quote|tell|ask|remind|make|put|provide"
)
INSTRUCTING_FOR_GOOD = f"{INSTRUCTING}|double-check|verify|summari[sz]e|mention|correct"
"""With "always" or "never", where the others would be requests for this once."""

ANSWERING = (
    "answer|reply|respond|write|explain|suggest|recommend|cite|quote|translate|summari[sz]e|format|"
    "code"
)
ABOUT_ANSWERS = "emojis?|emoticons|em[- ]dashes|bullet points|jargon|filler words"
PARTNERS = "wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?"
ONLY_ONE = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fiancée|fiancé|fiancee|fiance|mother|mom|mum|"
    "father|dad|mother-in-law|father-in-law|best friend|boss"
)
"""Of these one has one at a time, so a newer name takes the place of an older one."""

RELATIVES = (
    "wife|husband|spouse|partner|girlfriend|boyfriend|fiancée|fiancé|fiancee|fiance|mother|mom|mum|"
    "father|dad|sister|brother|twin|son|daughter|kid|child|baby|grandmother|grandma|grandfather|"
    "grandpa|grandson|granddaughter|cousin|uncle|aunt|niece|nephew|stepmother|stepfather|"
    "mother-in-law|father-in-law|best friend|friend|roommate|flatmate|housemate|boss|manager|"
    "coworker|"
    "colleague|neighbour|neighbor|mentor|therapist|doctor|teacher"
)
PETS = (
    "dog|puppy|cat|kitten|parrot|hamster|rabbit|bunny|bird|horse|pony|turtle|tortoise|guinea pig|"
    "goldfish|snake|lizard|ferret|budgie|canary|retriever|labrador|poodle|beagle|corgi|pug"
)
CHILDREN = (
    "kids|children|sons|daughters|son|daughter|kid|child|sisters|brothers|sister|brother|siblings|"
    "twins|grandchildren|baby"
)
COUNTS = "a|an|one|two|three|four|five|six|seven|eight|nine|ten|\\d{1,2}|no"
CONDITIONS = (
    "diabetes|asthma|epilepsy|arthritis|migraines?|insomnia|anxiety|depression|adhd|autism|"
    "dyslexia|"
    "celiac disease|coeliac disease|crohn's disease|ibs|high blood pressure|low blood pressure|"
    "hypertension|a bad back|a bad knee|bad knees|chronic pain|chronic migraines|eczema|psoriasis|"
    "anaemia|anemia|a heart condition|cancer|scoliosis|tinnitus|sleep apnea|hay fever|ptsd|ocd|"
    "gout|"
    "endometriosis|hypothyroidism|lupus|glaucoma|a pacemaker|color blindness|colour blindness"
)
HEALTH_ADJECTIVES = (
    "diabetic|asthmatic|lactose[- ]intolerant|gluten[- ]intolerant|colou?r[- ]?blind|dyslexic|"
    "pregnant|epileptic|deaf|hard of hearing|blind|autistic|anaemic|anemic|celiac|coeliac|"
    "short-sighted|near-sighted|nearsighted|bipolar|immunocompromised"
)
DIETS = (
    "vegetarian|vegan|pescatarian|pescetarian|flexitarian|gluten[- ]free|dairy[- ]free|halal|"
    "kosher|"
    "keto|paleo"
)
TRAITS = (
    "left-handed|right-handed|introverted|extroverted|an introvert|an extrovert|an only child|"
    "a morning person|a night owl|an early bird|bilingual|trilingual|retired|self-employed|"
    "unemployed|"
    "a native speaker|shy|an atheist|a christian|a muslim|a buddhist|a hindu|jewish|catholic|a twin"
)
BELIEFS = (
    "jewish|catholic|protestant|christian|muslim|hindu|buddhist|sikh|mormon|baptist|orthodox|"
    "atheist|"
    "agnostic|republican|democrat|conservative|liberal|libertarian|taurus|gemini|leo|virgo|libra|"
    "scorpio|sagittarius|capricorn|aquarius|pisces|aries|gen|team|pro|anti|type|african|asian|"
    "european"
)
DEMONYMS = (
    "american|argentinian|australian|austrian|belgian|brazilian|british|bulgarian|canadian|chilean|"
    "chinese|colombian|croatian|czech|danish|dutch|egyptian|english|estonian|ethiopian|filipino|"
    "finnish|"
    "french|german|greek|hungarian|icelandic|indian|indonesian|iranian|iraqi|irish|israeli|italian|"
    "japanese|kenyan|korean|latvian|lebanese|lithuanian|malaysian|mexican|moroccan|nepali|nigerian|"
    "norwegian|pakistani|persian|peruvian|polish|portuguese|romanian|russian|scottish|serbian|"
    "singaporean|slovak|slovenian|spanish|swedish|swiss|syrian|taiwanese|thai|tunisian|turkish|"
    "ukrainian|vietnamese|welsh"
)
LANGUAGES = (
    "english|chinese|mandarin|cantonese|japanese|korean|french|german|spanish|portuguese|"
    "italian|dutch|"
    "russian|polish|arabic|hindi|bengali|urdu|turkish|vietnamese|thai|indonesian|malay|swedish|"
    "norwegian|danish|finnish|greek|hebrew|czech|slovak|hungarian|romanian|ukrainian|persian|farsi|"
    "swahili|tamil|telugu|tagalog|catalan|croatian|serbian|bulgarian|latin|esperanto|sign language|"
    "bahasa|icelandic|irish|welsh"
)
INSTRUMENTS = (
    "piano|guitar|violin|viola|cello|flute|drums|bass|saxophone|sax|trumpet|clarinet|ukulele|harp|"
    "accordion|banjo|harmonica|keyboard|trombone|oboe|mandolin|erhu|guzheng|pipa"
)
POSSESSIONS = (
    "car|van|truck|motorbike|motorcycle|bike|bicycle|e-bike|scooter|boat|house|flat|apartment|"
    "cottage|"
    "cabin|garden|laptop|computer|pc|macbook|thinkpad|iphone|phone|tablet|ipad|kindle|camera|drone|"
    "telescope|3d printer|sewing machine|espresso machine|guitar|piano|violin|cello|ukulele|tesla|"
    "raspberry pi|synthesizer|telescope|sailboat|caravan|campervan"
)
CARS = (
    "audi|bmw|chevrolet|chevy|citroën|citroen|dacia|fiat|ford|honda|hyundai|jeep|kia|lexus|mazda|"
    "mercedes|mini cooper|nissan|opel|peugeot|porsche|renault|skoda|subaru|suzuki|tesla|"
    "toyota|volkswagen|volvo|vw"
)
PROJECT_VERBS = (
    "learn|become|visit|travel|move|start|study|write|build|improve|lose|run|buy|save|get|open|"
    "publish|"
    "finish|quit|stop|apply|graduate|retire|switch|change|take up|pass|read more|eat less|eat more|"
    "exercise|launch|found|adopt|marry|propose|climb|hike|cycle|swim|play|speak|train|"
    "renovate|earn|complete|master|teach|volunteer|work|live|find a|find an|"
    "create|develop|plant|grow|sell|organi[sz]e|go back to school|go to university|go vegan"
)
