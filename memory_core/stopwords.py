"""Words that carry no topic, as data: for questions to the index and for keywords."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ENGLISH = _words(
    """
    a about after again all also am an and any anyone anything are arent as assistant at be because
    been user users
    before being between both but by can cant could couldnt d did didnt do does doesnt doing
    dont down during each else ever every few for from further get got had hadnt has hasnt
    have havent having he her here hers him his how i id if im in into is isnt it its itself
    ive just let like ll m me mine more most much my myself no nor not of off on once one only
    or other our ours out over own please re s same say she should shouldnt so some something
    such t tell than that the their theirs them then there these they thing things this those
    through to too under until up us ve very was wasnt we were werent what when where which
    while who whom whose why will with wont would wouldnt yes you your yours
    """
)

ENGLISH_GENERIC = ENGLISH | _words(
    """
    able activity actually advice ago ah almost already alright always amazing another anyway
    appreciate around ask assistant available away awesome back bad based beautiful become
    believe best better big bit bring bye call called came certainly chat check choice choose
    come coming companion companions confused consider course currently day definitely
    delicious describe different easy enjoy enough especially etc even example excellent
    experience fact far feel feeling felt find fine first found friend friendly fun gave
    general getting give given glad go goes going gone good goodbye great guess haha happen
    happy hard hear heard hello help helpful hey hi highly hope however idea important improve
    including indeed instead interested interesting keep kind knew know known last lately
    later least less little long look looking lot lots love made main make making many matter
    may maybe mean meet might mind moment morning need never new next nice now often oh ok
    okay old part people perhaps place point possible prefer pretty probably problem provide
    question quite rather ready really reason recently recommend recommendation right said saw
    second see seem sense share simple since sir sometimes soon sorry sound start started
    still stuff suggest suggestion sure take talk talking thank thanks think thinking thought
    three time tip today together tomorrow tonight took totally tried true try trying two
    understand use used useful user using usually want wanted way week well went whether whole
    without won wonderful word work working worry wow yeah year yep yesterday yet yours
    """
)

# Ends that look like plurals of -y and like adverbs, and are not.
ENGLISH_IES = _words(
    "brownies calories cookies genies hoodies movies pies rookies selfies smoothies zombies"
)
ENGLISH_LY = _words(
    "anomaly assembly beverly butterfly dragonfly kimberly monopoly multiply sicily thessaly"
)

# Words that contain a function character and must not be torn at it.
CHINESE_KEPT = (
    "目的|的士|的确|了解|了不起|了却|首都|成都|都市|京都|都江堰|和平|和谐|和牛|共和|温和|饱和|暖和|缓和|"
    "有趣|有名|有机|有关|有效|有限|有毒|所有权|拥有|富有|含有|著有|国有|是非|存在|在线|在职|在家|内在|潜在|"
    "请假|请客|申请|邀请|聘请|就业|就餐|就医|就读|成就|还款|还书|还钱|偿还|归还|与会|参与|给予|与众不同|"
    "我的世界|自我|那不勒斯|哪吒|吧台|酒吧|网吧|贴吧|呢绒|我国|也门|跟踪|跟随|跟团|到达|迟到|很久"
)
CHINESE_WORDS = (
    "用户|为什么|什么时候|什么|怎么样|怎么办|怎么|怎样|哪里|哪儿|哪些|哪个|哪|谁|多少|如何|是否|是不是|有没有|能不能|"
    "可不可以|可以|我们|你们|他们|她们|它们|咱们|大家|自己|我|你|您|他|她|它|咱|这个|那个|这些|那些|这里|那里|"
    "这样|那样|这|那|一个|一些|一下|一点|时候|觉得|知道|告诉|记得|以及|或者|还是|还有|但是|可是|不过|因为|所以|"
    "如果|虽然|而且|于是|现在|正在|已经|之前|之后|以前|以后|就是|也是|都是|不是|是|在|有|和|与|跟|或|就|都|也|还|"
    "很|请|的|了|吗|呢|吧|啊|呀|哦|嘛|哈|么|嗯"
)
JAPANESE_WORDS = (
    "ユーザー|ください|でしょうか|でしょう|ましたか|ますか|ですか|ました|ません|ます|です|だった|でした|している|していた|"
    "している|しています|します|した|する|という|について|それ|これ|あれ|どこ|どれ|どの|どんな|その|この|あの|いつ|だれ|"
    "なに|何|誰|こと|もの|ため|から|まで|より|けど|ある|いる|あります|います|私|僕|俺|あなた"
)
# A particle only between characters that are not hiragana: elsewhere it is part of a word.
JAPANESE_PARTICLES = "(?<![ぁ-ゖ])[のはがをにでとへもや](?![ぁ-ゖ])"

CHINESE_GENERIC = (
    "你好|您好|谢谢|感谢|非常|真的|真是|确实|特别|比较|最近|今天|昨天|明天|今晚|昨晚|平时|通常|经常|有时候|有时|"
    "一直|一定|一起|一样|一种|一次|一位|一名|一部|一本|一家|一只|一道|一场|一段|应该|可能|能够|需要|想要|想|喜欢|"
    "希望|感觉|感到|认为|建议|推荐|帮助|分享|尝试|试试|尝尝|看看|聊聊|聊天|聊|学到|听起来|看起来|看来|听说|比如|例如|"
    "比方说|等等|其实|其他|其它|另外|此外|除了|关于|对于|通过|根据|由于|以便|为了|为|让|使|把|被|给|对|向|从|到|"
    "用|会|能|要|去|来|做|说|看|吃|好的|好吃|好好|很好|不错|不好|没有|没关系|没问题|没|不客气|不用|不|非常好|太|"
    "挺|更|最|越来越|再见|再|又|才|只|每|每天|各种|许多|很多|多|少|一|两|几|些|个|种|次|位|点|时间|方式|方法|事情|"
    "认识|相关|具体|进行|提供|选择|注意|保持|充满|真棒|超级|顺便|左右|意思|基本上|基本|了解|合理|明确|"
    "开始|继续|享受|如此|等|之一|不同|方面|需要|考虑|准备|充满|成为|起来|东西|问题|地方|朋友|伴侣|助手|人工智能|用户|高兴|开心|愉快|有趣|有意思|有用|有帮助|重要|当然|哈哈|哇|嗨|嘿|"
    "恩|之|而|并且|并|且|但|若|则|此|该|其|所|将|着|过|得|地|里|上|下|中|后|前|时"
)
# Words that contain a generic character and must not be torn at it.
CHINESE_GENERIC_KEPT = (
    "音乐会|演唱会|会议|会计|社会|机会|聚会|晚会|约会|能力|能源|功能|技能|智能|重要性|要求|主要|去年|未来|来源|做饭|"
    "做菜|小说|说明|说话|学说|看书|看法|吃饭|小吃|好友|爱好|好奇|多样|多媒体|少年|少数|减少|对象|对话|反对|"
    "面对|方向|向往|从事|到期|用品|应用|使用|费用|信用|利用|作用|让步|使馆|大使|天使|把握|被子|给力|为人|行为|"
    "作为|认为|因为|更新|更换|变更|最后|最终|再生|又名|人才|天才|才华|只有|每日|一致|统一|两岸|几何|个人|个性|种类|"
    "种植|品种|次数|位置|单位|地位|点心|景点|地点|特点|重点|优点|缺点|观点|而已|着急|着重|过敏|过程|过年|通过|经过|"
    "过去|超过|得到|获得|地铁|地图|地球|地理|基地|当地|土地|草地|目的地|公里|里程|上海|上班|上课|上司|网上|早上|"
    "晚上|路上|下班|下午|下载|地下|中国|中文|中医|中心|中学|中午|高中|集中|后天|后来|后悔|背后|前端|前天|前景|前往|"
    "目前|提前|面前|时代|时尚|时装|小时|及时|临时|实时|所谓|厕所|研究所|场所|其中|将来|将军|太阳|太极|"
    "太空|想法|想象|理想|梦想|思想|对比|针对|小时候|要点|需要|来自|未来|原来|去世|失去|并发|合并|且慢|但丁|规则|"
    "原则|用户|两会|分析|分数|十分|充分|部分|成分|多伦多|会员|协会|体会|不丹|少林|点评|能量|热量|上映|下厨|中秋|"
    "手感|里斯本|巴黎|公里|里约|那里|万里|邻里|前辈|后辈|时差|时刻|时间管理|美好|友好|良好|好莱坞"
)
