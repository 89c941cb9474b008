"""Whether what a model returns can be a statement of its sources."""

import pytest

from memory_core.prompts.quality import is_invented


@pytest.mark.parametrize(
    ("text", "said", "invented"),
    [
        ("Name: John Doe", "Please answer briefly.", True),
        ("Age: 30", "Please answer briefly.", True),
        ("Home: New York City", "Please answer briefly.", True),
        ("The user lives in Porto, Portugal.", "I moved to porto last week", False),
        ("The user is 30 years old.", "I am 30.", False),
        ("The user turned 30 years old.", "I turned thirty, many years behind me.", False),
        ("The user moved on May 3, 2026.", "I moved yesterday.", False),
        ("The user is vegetarian.", "I eat no meat.", False),
        ("The user wants answers in Chinese.", "answer in chinese please", False),
        ("The user is Portuguese.", "I come from Portugal.", False),
        ("The user works with Anna's team.", "I work with Anna.", False),
        ("用户于2026年5月3日搬家。", "我昨天搬家了。", False),
        ("用户今年45岁。", "我今年四十五岁。", False),
        ("Plans: Read more books, hike more", "I am Odile, a harbour pilot.", True),
        ("The user plans to read more books and to hike more.", "I plan to go hiking.", False),
        ("The user eats no meat, fish, eggs or dairy.", "I went vegan last year.", False),
        ("The user owns a farm, keeps goats and sells cheese in town.", "I dive.", True),
        ("The user owns a farm, keeps goats and sells cheese in town.", "My goats!", False),
        ("Interests: dogs, cats, trains, buses", "but must we", True),
        ("Interests: dogs, cats, trains, buses", "I keep a dog", False),
        ("计划：读书、徒步旅行、绘画", "我是若溪，海洋生物研究员。", True),
        ("用户计划多读书、多徒步旅行、学习绘画", "我是若溪，海洋生物研究员。", True),
        ("用户会骑马、钓鱼、养鸟、开车", "我會騎馬、釣魚、養鳥、開車", False),
        (
            "ユーザーは毎朝海辺を散歩し、猫を飼っている",
            "まいあさうみべをさんぽ。",
            False,
        ),
        ("ユーザーはサッカーと野球とテニスが大好きで毎週練習する", "登録の方法は？", True),
        ("ユーザーは毎日コーヒーを三杯飲み紅茶は飲まない", "ｺｰﾋｰ大好き", False),
        ("L'utente non mangia carne.", "Sono vegetariano.", False),
        ("用户计划多读书、多徒步旅行、学习绘画", "我想学画画。", False),
        ("用户喜欢运动", "我常打篮球。", False),
        ("ユーザーは京都の大学院で日本の古代史を教える教授", "漁師。海老を獲る。", True),
        ("Пользователь любит читать книги, гулять, рисовать и петь", "Меня зовут Олег.", True),
        ("", "", False),
    ],
)
def test_a_text_that_says_what_nobody_said_is_invented(
    text: str, said: str, invented: bool
) -> None:
    assert is_invented(text, [said]) is invented
