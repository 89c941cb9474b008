"""What takes the place of what, by rules, through the public door."""

import pytest

from tests.conftest import OpenMemory


async def facts_after(opened: OpenMemory, *said: str) -> list[str]:
    async with opened(short_term_capacity=1) as memory:
        for text in (*said, "That is all."):
            await memory.add_memory(text, "I see.")
            await memory.consolidate()
        return sorted(fact.text for fact in (await memory.get_user_profile()).user_facts)


@pytest.mark.parametrize(
    ("said", "stand"),
    [
        (
            ("I live in Oslo.", "I don't live in Rome anymore."),
            ["The user lives in Oslo.", "The user no longer lives in Rome."],
        ),
        (("I live in Rome.", "I no longer live in Rome."), ["The user no longer lives in Rome."]),
        (
            ("I no longer live in Rome.", "I live in Oslo."),
            ["The user lives in Oslo."],
        ),
        (("我现在住在北京。", "我不住在上海了。"), ["用户不再住在上海。", "用户住在北京。"]),
        (("我住在上海。", "我不住在上海了。"), ["用户不再住在上海。"]),
        (
            ("I work for Acme.", "I left Acme."),
            ["The user left Acme.", "The user left their previous job."],
        ),
        (
            ("My son is called Max.", "My son is called Tim."),
            ["The user's son is called Max.", "The user's son is called Tim."],
        ),
        (("我儿子叫小明。", "我儿子叫小强。"), ["用户的儿子叫小强。", "用户的儿子叫小明。"]),
        (("My wife is called Ana.", "My wife is called Bea."), ["The user's wife is called Bea."]),
        (
            ("My daughter is 5.", "My daughter is 6."),
            ["The user's daughter is 6 years old."],
        ),
    ],
)
async def test_only_what_excludes_a_fact_takes_its_place(
    opened: OpenMemory, said: tuple[str, ...], stand: list[str]
) -> None:
    assert await facts_after(opened, *said) == stand


ENDED = [
    (
        ("My girlfriend's name is Anna.", "Anna and I broke up last week."),
        [
            "The user broke up with their girlfriend Anna.",
            "The user's relationship with Anna ended.",
        ],
    ),
    (
        ("I have a girlfriend called Anna.", "Anna dumped me."),
        [
            "The user broke up with their girlfriend Anna.",
            "The user's relationship with Anna ended.",
        ],
    ),
    (
        ("My husband is called Tom.", "Tom and I got divorced."),
        ["The user divorced their husband Tom.", "The user is divorced."],
    ),
    (("I have a dog named Rex.", "Rex died yesterday."), ["The user's dog Rex died."]),
    (
        ("I have a dog. His name is Rex.", "Rex passed away."),
        ["The user has a dog.", "The user's dog Rex passed away."],
    ),
    (
        ("My cat is called Luna.", "We had to put Luna down on Monday."),
        ["The user's cat Luna was put down."],
    ),
    (
        ("My mother is called Anna.", "My mother Anna died.", "My mother Anna was a teacher."),
        ["The user's mother Anna died.", "The user's mother is called Anna."],
    ),
    (
        ("My wife Anna died in March.", "My wife Anna was my rock."),
        ["The user's wife Anna died.", "The user's wife is called Anna."],
    ),
    (
        ("Guess what - I got a puppy two weeks ago! Her name's Coco.", "Coco died."),
        ["The user has a puppy.", "The user's puppy Coco died."],
    ),
    (("Our dog is called Rex.", "Rex is dead."), ["The user's dog Rex is dead."]),
    (
        ("Our dog is called Rex.", "Rex died last week, and I miss him."),
        ["The user's dog Rex died."],
    ),
    (
        ("My wife is called Anna.", "My wife left me."),
        ["The user broke up with their wife.", "The user's relationship ended."],
    ),
    (("Our dog is called Rex.", "😢 Rex died yesterday."), ["The user's dog Rex died."]),
    (
        ("My husband is called Tom.", "Me and Tom broke up."),
        ["The user broke up with their husband Tom.", "The user's relationship with Tom ended."],
    ),
    (
        ("My boyfriend is called Tom.", "My boyfriend and I broke up."),
        ["The user broke up with their boyfriend.", "The user's relationship ended."],
    ),
    (("I drive a Honda Civic.", "I sold my car to my brother."), ["The user no longer has a car."]),
    (
        ("I sold my house.", "I sold my car."),
        ["The user no longer has a car.", "The user sold their house."],
    ),
    (("I use VS Code.", "I stopped using VS Code."), ["The user stopped using VS Code."]),
    (
        ("I'm studying at MIT.", "I graduated from MIT last June with a degree in physics."),
        ["The user graduated from MIT last June with a degree in physics."],
    ),
    (("I'm a student at MIT.", "I'm a nurse."), ["The user is a nurse."]),
    (("我女朋友叫小美。", "小美和我分手了。"), ["用户分手了。", "用户和女朋友小美分手了。"]),
    (("我有一只狗叫旺财。", "昨天旺财去世了。"), ["用户的狗旺财去世了。"]),
    (("我开一辆本田。", "我把本田雅阁卖了。"), ["用户卖了本田雅阁。"]),
    (("我在腾讯工作。", "我换到字节跳动了。"), ["用户换到字节跳动工作。"]),
    (("私は二児の母です。名前は花子です。", "はい。"), ["ユーザーの名前は花子。"]),
    (("I'm vegan.", "I stopped being vegan."), ["The user is no longer vegan."]),
    (
        ("I'm a vegetarian.", "I eat meat again."),
        ["The user eats meat again.", "The user is no longer vegetarian."],
    ),
    (
        ("I drive a Honda Civic.", "I sold my Honda Civic and bought a Tesla Model 3."),
        ["The user bought a Tesla Model 3.", "The user sold their Honda Civic."],
    ),
    (
        ("I drive a Honda Civic.", "I sold my house."),
        ["The user drives a Honda Civic.", "The user sold their house."],
    ),
    (("I'm learning French.", "I gave up learning French."), ["The user gave up learning French."]),
    (
        ("I'm learning French.", "I gave up learning Dutch."),
        ["The user gave up learning Dutch.", "The user is learning French."],
    ),
    (
        ("I use VS Code.", "I switched from VS Code to Neovim."),
        ["The user switched from VS Code to Neovim.", "The user uses Neovim."],
    ),
    (("I'm studying at MIT.", "I graduated from MIT."), ["The user graduated from MIT."]),
    (
        ("My favorite color is blue.", "My favourite colour is green."),
        ["The user's favourite colour is green."],
    ),
    (("My email is a@b.com.", "My new email is c@d.com."), ["The user's email is c@d.com."]),
    (
        ("I'm allergic to peanuts.", "It turns out that I'm not allergic to peanuts."),
        ["The user is not allergic to peanuts."],
    ),
    (("我女朋友叫小美。", "我和小美分手了。"), ["用户分手了。", "用户和女朋友小美分手了。"]),
    (("我养了一只狗叫旺财。", "旺财去世了。"), ["用户的狗旺财去世了。"]),
    (("我有一只猫。它叫咪咪。", "咪咪昨天死了。"), ["用户的猫咪咪死了。"]),
    (("我开一辆本田。", "我把本田卖了。"), ["用户卖了本田。"]),
    (("我是素食主义者。", "我又开始吃肉了。"), ["用户不再吃素。", "用户又开始吃肉。"]),
    (("我住在里斯本。", "我搬到里昂了。"), ["用户住在里昂。"]),
    (("我今年30岁。", "我今天31岁了。"), ["用户31岁。"]),
    (
        ("彼女の名前は花子です。", "花子と別れました。"),
        ["ユーザーは彼女の花子と別れた。", "ユーザーは花子と別れた。"],
    ),
    (
        ("犬を飼っています。名前はポチです。", "ポチが死にました。"),
        ["ユーザーの犬のポチは亡くなった。", "ユーザーは犬を飼っている。"],
    ),
    (
        ("グーグルで働いています。", "グーグルを辞めました。"),
        ["ユーザーはグーグルを辞めた。", "ユーザーは前の仕事を辞めた。"],
    ),
    (("タバコを吸います。", "タバコをやめました。"), ["ユーザーはタバコをやめた。"]),
]


@pytest.mark.parametrize(("said", "stand"), ENDED)
async def test_what_is_over_is_not_told_as_if_it_were_so(
    opened: OpenMemory, said: tuple[str, ...], stand: list[str]
) -> None:
    assert await facts_after(opened, *said) == stand


@pytest.mark.parametrize(
    ("said", "stand"),
    [
        (("Hi.", "Elvis died in 1977."), []),
        (
            ("I have a dog named Rex.", "If Rex died I'd be sad."),
            ["The user has a dog called Rex."],
        ),
        (("I have a dog named Rex.", "In the film, Rex died."), ["The user has a dog called Rex."]),
        (
            ("I have a dog named Rex.", "Rex died laughing at the joke."),
            ["The user has a dog called Rex."],
        ),
        (
            ("My dog is called Max. My son is called Max.", "Max died."),
            ["The user's dog is called Max.", "The user's son is called Max."],
        ),
        (
            ("My sister Ana is a nurse.", "Ana left me at the station."),
            ["The user's sister is called Ana."],
        ),
        (("息子がいます。名前は太郎です。", "はい。"), ["ユーザーの息子の名前は太郎。"]),
    ],
)
async def test_a_name_is_news_only_where_it_is_plain_whose_it_is(
    opened: OpenMemory, said: tuple[str, ...], stand: list[str]
) -> None:
    assert await facts_after(opened, *said) == stand


# Each ends or names nothing of the user's: the first message alone is what is known after it.
NO_NEWS = """
My wife is called Anna. | Anna left me a note.
My husband is called Tom. | Tom left me waiting at the station.
My son is called Max. | I put Max to sleep.
My daughter is called Emma. | I put Emma down on the couch.
My son is called Max. | Max was put to sleep on the sofa.
My wife is called Eve. | My brother has a wife. Her name is Kate.
I love tea. | My boss has a daughter. Her name is Lily.
I love tea. | She has a dog. His name is Rex. Rex died.
I love tea. | I don't have a dog. Its name is Rex.
I love tea. | I read about a dog named Hachiko. Hachiko died in 1935.
I love tea. | My neighbour has a cat called Luna. Luna passed away last night.
I love tea. | I have a cousin who got rich and bought a house.
I love tea. | I sold my boss on the plan.
I love tea. | I migrated from Poland to Canada in 1999.
I love tea. | I use God as my witness.
I love tea. | I'm studying at Starbucks right now.
I love tea. | My dad died on stage last night, nobody laughed at his jokes.
My sister is called Anna. | Anna and I broke up the fight.
My partner is called Anna. | Anna and I split up the work.
My husband is called Tom. | Tom and I are divorced from reality.
I have a dog named Rex. | Rex died of boredom today lol
私は教師です。 | ピアノを辞めました。
私は教師です。 | 家族と別れた。
私は教師です。 | 友達が犬を飼っています。名前はポチです。
我35岁。 | 我今天5岁的儿子发烧了。
我女朋友叫小美。 | 我和女朋友在地铁站分开了。
我老公叫张伟。 | 我和老公没离婚。
我老公叫张伟。 | 我和老公快要离婚了。
我妈妈叫王芳。 | 我妈妈的同事去世了。
我妈妈叫王芳。 | 王芳离开我了。
我妈妈叫王芳。 | 我妈担心死了。
我有一只狗叫旺财。 | 梦里，旺财死了。
我有一只狗叫旺财。 | 我狗可爱死了。
我住在北京。 | 我住在新加坡酒店。
我开一辆本田。 | 我把本田洗了。
我开一辆本田。 | 我把本田的钥匙丢了。
我开一辆本田。 | 去年我把本田股票卖了。
我有一只猫叫咪咪。 | 咪咪死了一样地睡着。
My boyfriend is called Tom. | I broke up with my boyfriend Mike in high school.
My wife is called Anna. | Anna left me today with the kids so she could go to the gym.
My wife is called Anna. | Anna and I split up last night to search the woods.
My wife is called Anna. | Anna and I broke up in 2015 but got back together.
My sister is called Rose. | Rose died in Titanic.
My mother is called Diana. | Diana died in 1997 in Paris.
I have a dog named Rex. | Rex died yesterday in Minecraft.
I drive a Honda Civic. | I sold my old car last year.
I drive a Honda Civic. | I sold my Ford Mustang in 1999.
I use VS Code. | I stopped using VS Code extensions.
I use VS Code. | I switched from VS Code to Neovim for an hour and came back.
I'm vegan. | I stopped being vegan for a week in 2010.
"""


@pytest.mark.parametrize("said", NO_NEWS.strip().splitlines())
async def test_what_is_said_of_others_or_in_play_ends_nothing(
    opened: OpenMemory, said: str
) -> None:
    known, no_news = said.split(" | ")
    before = await facts_after(opened, known)
    assert before and await facts_after(opened, no_news) == before


async def test_a_death_that_is_told_in_the_same_message_is_read_too(opened: OpenMemory) -> None:
    said = "We had a cat called Luna. My dog's name is Rex. Rex died yesterday."
    assert "The user's dog Rex died." in await facts_after(opened, said)
