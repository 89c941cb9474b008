"""Japanese word lists of the rules, as alternations for regular expressions."""

PARTNERS = "彼女|彼氏|妻|夫|奥さん|旦那|婚約者|恋人"

ONLY_ONE = f"{PARTNERS}|母|父|お母さん|お父さん|上司|親友"
"""Of these one has one at a time, so a newer name takes the place of an older one."""

RELATIVES = (
    f"{ONLY_ONE}|息子|娘|子供|子ども|赤ちゃん|兄|姉|弟|妹|祖父|祖母|おじいちゃん|おばあちゃん|"
    "叔父|叔母|いとこ|甥|姪|孫|友達|友人|同僚"
)
PETS = "犬|柴犬|子犬|猫|子猫|うさぎ|ウサギ|ハムスター|鳥|インコ|亀|カメ|金魚|馬|蛇|トカゲ|ペット"

EMPLOYER = "勤務先"
