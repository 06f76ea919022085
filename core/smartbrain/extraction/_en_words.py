"""English word lists that the rules share: relations, occupations, conditions, languages, places to be from."""

from __future__ import annotations

import re


def words_of(text: str) -> frozenset[str]:
    """The words of a list written with spaces."""
    return frozenset(text.split())


RELATIONS = {
    "mother": "mother mom mum mama mommy mummy ma mam",
    "father": "father dad daddy papa pa",
    "parents": "parents folks",
    "wife": "wife missus",
    "husband": "husband hubby",
    "partner": "partner girlfriend boyfriend gf bf fiancé fiancée fiance fiancee spouse",
    "son": "son lad",
    "daughter": "daughter",
    "child": "child kid toddler baby",
    "sister": "sister sis",
    "brother": "brother bro",
    "grandmother": "grandmother grandma gran granny nana nan 外婆 奶奶 姥姥",
    "grandfather": "grandfather grandpa granddad grandad 爷爷 外公",
    "aunt": "aunt auntie",
    "uncle": "uncle",
    "cousin": "cousin",
    "niece": "niece",
    "nephew": "nephew",
    "mother_in_law": "mother-in-law mother_in_law",
    "father_in_law": "father-in-law",
    "boss": "boss manager supervisor",
    "colleague": "colleague coworker co-worker workmate teammate",
    "friend": "friend buddy bestie mate",
    "roommate": "roommate flatmate housemate",
    "neighbor": "neighbor neighbour",
    "teacher": "teacher tutor professor",
    "student": "student pupil",
    "doctor": "doctor gp",
    "client": "client customer",
    "landlord": "landlord landlady",
}
RELATION_OF = {word: name for name, words in RELATIONS.items() for word in words.split()}
RELATION_OF |= {
    "little one": "child",
    "wee one": "child",
    "youngest": "child",
    "eldest": "child",
    "oldest": "child",
    "little boy": "son",
    "little girl": "daughter",
    "other half": "partner",
    "better half": "partner",
}
RELATION = "|".join(sorted(map(re.escape, RELATION_OF), key=len, reverse=True))

AGE_IN_WORDS = (
    "(?:twenty|thirty|forty|fourty|fifty|sixty|seventy|eighty|ninety)(?:[- ](?:one|two|three|four|five|six|seven|eight|"
    "nine))?|(?:thir|four|fif|six|seven|eigh|nine)teen|ten|eleven|twelve|one|two|three|four|five|six|seven|eight|nine"
)
"""An age spelt out."""
LANGUAGES = (
    "english|german|french|spanish|portuguese|italian|dutch|swedish|norwegian|danish|"
    "finnish|icelandic|russian|ukrainian|polish|czech|"
    "slovak|hungarian|romanian|bulgarian|greek|turkish|arabic|hebrew|persian|farsi|hindi|"
    "urdu|bengali|punjabi|tamil|telugu|"
    "malayalam|thai|vietnamese|indonesian|malay|tagalog|japanese|korean|chinese|mandarin|cantonese|simplified chinese|"
    "traditional chinese|swahili|welsh|irish|gaelic|catalan|basque|galician|serbian|croatian|"
    "slovenian|estonian|latvian|lithuanian|"
    "albanian|armenian|georgian|kazakh|mongolian|nepali|sinhala|burmese|khmer|lao|amharic|"
    "yoruba|igbo|hausa|zulu|afrikaans|latin|"
    "esperanto|sign language|shona|ndebele|tigrinya|tigre|twi|akan|ewe|wolof|lingala|xhosa|sotho|tswana|somali|"
    "oromo|fula|"
    "luganda|kinyarwanda|kirundi|chichewa|bemba|malagasy|pashto|dari|kurdish|kurmanji|sorani|marathi|gujarati|"
    "kannada|odia|"
    "konkani|sindhi|kashmiri|bhojpuri|tibetan|uyghur|uzbek|turkmen|tajik|kyrgyz|azerbaijani|azeri|belarusian|"
    "macedonian|"
    "bosnian|slovene|maltese|luxembourgish|flemish|frisian|breton|cornish|faroese|yiddish|ladino|romani|quechua|aymara|"
    "guarani|nahuatl|haitian creole|patois|papiamento|javanese|sundanese|cebuano|ilocano|hmong|maori|samoan|"
    "tongan|fijian|"
    "hawaiian|hokkien|teochew|hakka|shanghainese|taiwanese|tamazight|berber|bsl|asl|简体中文|繁体中文|繁體中文|中文|英文|日文"
)
NATIONALITIES = (
    "american|british|english|scottish|welsh|irish|canadian|australian|new zealander|"
    "german|french|spanish|portuguese|italian|dutch|belgian|"
    "swiss|austrian|swedish|norwegian|danish|finnish|icelandic|russian|ukrainian|polish|"
    "czech|slovak|hungarian|romanian|bulgarian|greek|"
    "turkish|lebanese|syrian|egyptian|moroccan|tunisian|algerian|nigerian|ghanaian|kenyan|"
    "ethiopian|south african|israeli|iranian|iraqi|"
    "saudi|indian|pakistani|bangladeshi|sri lankan|nepali|nepalese|thai|vietnamese|indonesian|"
    "malaysian|singaporean|filipino|filipina|japanese|"
    "korean|south korean|chinese|taiwanese|mongolian|mexican|cuban|colombian|venezuelan|"
    "peruvian|chilean|argentinian|argentine|brazilian|"
    "zimbabwean|zambian|ugandan|rwandan|tanzanian|somali|sudanese|eritrean|cameroonian|senegalese|ivorian|angolan|"
    "mozambican|namibian|mauritian|libyan|jordanian|palestinian|kuwaiti|qatari|emirati|omani|yemeni|afghan|uzbek|"
    "burmese|"
    "cambodian|laotian|fijian|samoan|tongan|bolivian|ecuadorian|uruguayan|paraguayan|panamanian|costa rican|nicaraguan|"
    "honduran|salvadoran|guatemalan|puerto rican|trinidadian|barbadian|guyanese|maltese|cypriot|macedonian|montenegrin|"
    "moldovan|belarusian|azerbaijani|"
    "jamaican|haitian|serbian|croatian|bosnian|slovenian|albanian|georgian|armenian|kazakh|estonian|latvian|lithuanian"
)
RELIGIONS = (
    "muslim|christian|catholic|protestant|jewish|hindu|buddhist|sikh|atheist|agnostic|"
    "mormon|quaker|orthodox christian|baptist|jain"
)
DIETS = (
    "vegan|vegetarian|pescatarian|flexitarian|lacto-vegetarian|keto|kosher|halal|paleo|"
    "gluten[- ]free|dairy[- ]free|low[- ]carb|"
    "plant[- ]based|sugar[- ]free|teetotal(?:l?er)?|carnivore"
)
HEALTH_ADJECTIVES = (
    "diabetic|(?:\\w+ (?:weeks|months) )?pregnant|"
    "(?:deaf|blind)(?: in (?:one|both|(?:his|her|my|the|their) (?:left|right))(?: (?:ear|eye)s?)?)?|hard of hearing|"
    "legally "
    "blind|colou?r[- ]?blind|dyslexic|autistic|epileptic|"
    "asthmatic|coeliac|celiac|anaemic|anemic|bipolar|hypertensive|immunocompromised|insulin[- "
    "]dependent|partially sighted|short-sighted|"
    "nearsighted|near-sighted|adhd|neurodivergent|paraplegic|wheelchair[- ]bound|a wheelchair "
    "user|in a wheelchair|hypothyroid|prediabetic|a diabetic"
)
CONDITIONS = (
    "(?:type (?:1|2|one|two|i|ii) )?diabetes|asthma|parkinson'?s?(?: disease)?|alzheimer'?s?(?: "
    "disease)?|dementia|adhd|add|autism|(?:\\w+ )?arthritis|"
    "(?:chronic )?migraines?|epilepsy|(?:\\w+ )?cancer|(?:high|low) blood pressure|high "
    "cholesterol|hypertension|insomnia|(?:\\w+ )?anxiety(?: disorder)?|depression|"
    "c(?:o)?eliac(?: disease)?|crohn'?s?(?: disease)?|ibs|tinnitus|vertigo|sciatica|scoliosis|"
    "asthma|eczema|psoriasis|ptsd|ocd|dyslexia|dyspraxia|"
    "fibromyalgia|endometriosis|pcos|lupus|ms|multiple sclerosis|copd|leukemia|leukaemia|"
    "anemia|anaemia|glaucoma|cataracts|gout|hiv|hepatitis(?: \\w)?|"
    "hemophilia|haemophilia|osteoporosis|sleep apn(?:o)?ea|(?:a )?heart (?:condition|"
    "disease|murmur|failure)|kidney (?:disease|failure)|"
    "chronic (?:\\w+ )?(?:pain|fatigue|illness|bronchitis|sinusitis)(?: syndrome)?|bipolar(?: "
    "disorder)?|long covid|raynaud'?s|hypothyroidism|"
    "hyperthyroidism|hashimoto'?s|tourette'?s|acid reflux|gerd|a pacemaker|a (?:bad|dodgy|"
    "bum|weak|trick) (?:\\w+ )?(?:knee|back|hip|shoulder|heart|ankle|stomach)|"
    "(?:bad|dodgy) (?:knees|hips|eyesight)|(?:a )?(?:slipped|herniated) dis[ck]|a stoma|"
    "down'?s syndrome|cerebral palsy|hay fever|a prosthetic \\w+"
)
MEDICINES = (
    "insulin|warfarin|lithium|adderall|ritalin|xanax|prozac|zoloft|lexapro|aspirin|blood "
    "thinners|antidepressants|statins|beta[- ]blockers|the pill|"
    "birth control|antihistamines|steroids|vitamin [a-z]\\d*|iron (?:tablets|supplements)|"
    "blood pressure (?:pills|tablets|medication|meds)|hrt|ssris?|"
    "melatonin|accutane|concerta|vyvanse|lamictal|humira|eliquis|ozempic|"
    "[a-z]{2,}(?:statin|pril|olol|azole|formin|oxetine|sartan|cillin|mycin|xaban|dipine|"
    "thyroxine|triptan|profen|gabalin|triptyline|zepam|mab|glutide|sone)"
)
PETS = (
    "dogs?|cats?|pupp(?:y|ies)|kittens?|rabbits?|hamsters?|parrots?|budgies?|tortoises?|"
    "turtles?|guinea pigs?|ferrets?|snakes?|goldfish|horses?|pon(?:y|ies)|"
    "lizards?|geckos?|chickens?|hens?|gerbils?|parakeets?|canar(?:y|ies)|chinchillas?|"
    "bearded dragons?|goats?|donkeys?|axolotls?|"
    "(?:\\w+ )?(?:retriever|whippet|lurcher|mastiff|pug|dalmatian|boxer|mutt|terrier|"
    "labrador|poodle|collie|beagle|husky|corgi|dachshund|spaniel|shepherd|greyhound|bulldog)s?"
)
SPORTS_AND_GAMES = (
    "tennis|badminton|squash|table tennis|ping[- ]pong|football|soccer|rugby|cricket|"
    "baseball|softball|basketball|volleyball|netball|hockey|ice hockey|golf|"
    "chess|bridge|poker|go|darts|snooker|pool|billiards|padel|pickleball|ultimate frisbee|"
    "d&d|dungeons and dragons|lacrosse|handball|water polo|mahjong|"
    "five-a-side|bowls|shogi|scrabble"
)
INSTRUMENTS = (
    "cello|piano|guitar|violin|viola|drums|flute|clarinet|saxophone|sax|trumpet|trombone|"
    "tuba|harp|accordion|banjo|ukulele|bass|bass guitar|organ|oboe|bassoon|"
    "french horn|harmonica|mandolin|recorder|bagpipes|keyboards?|fiddle|double bass|electric "
    "guitar|acoustic guitar|sitar|erhu|guzheng|pipa|steelpan|marimba"
)
FIELDS = (
    "marketing|finance|logistics|it|sales|hr|human resources|construction|retail|healthcare|"
    "education|tech|publishing|advertising|insurance|banking|"
    "real estate|hospitality|accounting|law|publishing|journalism|manufacturing|agriculture|"
    "forestry|procurement|customer (?:service|support)|"
    "cyber ?security|data science|biotech|pharma|catering|consulting|public health|social "
    "work|transport|aviation|shipping|tourism|fashion|film|television|"
    "quality assurance|qa|devops|product management|graphic design|web development|software(?: "
    "development)?|palliative care|nursing"
)
OCCUPATIONS = (
    "nurse|doctor|physician|surgeon|gp|dentist|paramedic|midwife|pharmacist|vet|veterinarian|"
    "therapist|psychologist|psychiatrist|teacher|professor|lecturer|"
    "tutor|librarian|engineer|developer|programmer|coder|designer|architect|plumber|electrician|"
    "carpenter|joiner|builder|bricklayer|roofer|welder|mechanic|driver|"
    "pilot|captain|sailor|fisherman|farmer|gardener|florist|baker|butcher|chef|cook|waiter|"
    "waitress|barista|bartender|lawyer|solicitor|barrister|attorney|paralegal|judge|"
    "notary|accountant|bookkeeper|auditor|actuary|banker|broker|trader|analyst|consultant|"
    "manager|director|ceo|cto|cfo|coo|founder|co-founder|entrepreneur|"
    "secretary|receptionist|assistant|clerk|cashier|salesman|saleswoman|salesperson|estate "
    "agent|realtor|agent|journalist|reporter|editor|writer|novelist|author|poet|"
    "translator|interpreter|photographer|filmmaker|director|producer|actor|actress|dancer|"
    "musician|composer|singer|conductor|painter|sculptor|illustrator|animator|"
    "potter|weaver|tailor|seamstress|cobbler|jeweller|jeweler|hairdresser|barber|beautician|"
    "scientist|physicist|chemist|biologist|geologist|astronomer|"
    "mathematician|statistician|economist|historian|archaeologist|anthropologist|sociologist|"
    "linguist|researcher|postdoc|phd student|grad student|student|undergrad|"
    "undergraduate|apprentice|intern|trainee|soldier|officer|policeman|policewoman|firefighter|"
    "detective|guard|priest|pastor|imam|rabbi|vicar|monk|nun|social worker|carer|"
    "caregiver|nanny|babysitter|childminder|cleaner|janitor|caretaker|housekeeper|stay-at-home "
    "(?:mom|mum|dad|parent)|homemaker|housewife|personal trainer|trainer|coach|"
    "instructor|guide|flight attendant|steward|dispatcher|warehouse worker|factory worker|"
    "construction worker|miner|surveyor|technician|machinist|operator|inspector|"
    "planner|strategist|marketer|copywriter|recruiter|sysadmin|administrator|admin|data "
    "scientist|data analyst|product manager|project manager|scrum master|devops engineer|"
    "tester|dba|optician|optometrist|radiographer|radiologist|cardiologist|neurologist|"
    "oncologist|pediatrician|paediatrician|anesthetist|anaesthetist|physio|"
    "physiotherapist|occupational therapist|speech therapist|dietitian|nutritionist|masseuse|"
    "undertaker|beekeeper|shepherd|winemaker|brewer|forester|"
    "ranger|diver|lifeguard|referee|athlete|footballer|cyclist|jockey|model|stylist|curator|"
    "archivist|conservator|luthier|locksmith|glazier|plasterer|"
    "decorator|tiler|landscaper|arborist|tree surgeon|shopkeeper|postman|postwoman|mail "
    "carrier|courier|civil servant|diplomat|politician|councillor|mayor|"
    "translator|court reporter|bus driver|truck driver|lorry driver|taxi driver|train "
    "driver|freelancer|veterinary nurse|dental hygienist|teaching assistant|"
    "sound engineer|stage manager|violinist|cellist|pianist|guitarist|drummer|organist|"
    "volunteer firefighter|quantity surveyor|underwriter|adjuster|printer|care assistant|childcare worker|plasterer|"
    "scaffolder|farrier|dairyman|fishmonger|caterer|typesetter|bookbinder|upholsterer|porter|steward|crofter|"
    "trawlerman|"
    "paramedic|phlebotomist|health visitor|lollipop lady|dinner lady|bin man|handyman|groundsman|milkman|"
    "sparky|chippy|brickie|squaddie|copper|bobby|cabbie|trucker|tradie|barman|barmaid|postie|garda|"
    "sous[- ]chef|head chef|barrister|team leader|line manager|shop assistant|sales assistant|night porter|farm ?hand"
)


def relation_of(word: str) -> str:
    """The relation's name in a key: "mum" is ``mother``."""
    return RELATION_OF[word.lower()]
