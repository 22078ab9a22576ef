//! Which tools a text selects.

use serde_json::json;
use toolwire::toolkit::{Registry, RegistryOptions, Tool, ToolFilter};

/// Asserts the first tool that each text selects.
fn assert_best(tools: &[(&str, &str)], texts: &[(&str, &str)]) {
    let mut registry = Registry::new(RegistryOptions::default());
    for (name, description) in tools {
        registry.register(Tool::new(*name).description(*description), false).unwrap();
    }
    for (text, expected) in texts {
        let filter = ToolFilter { relevant_to: Some((*text).to_string()), limit: 2, ..ToolFilter::default() };
        let names = registry.names(&filter);
        assert_eq!(names.first(), Some(expected), "{text}: {names:?}");
    }
}

#[test]
fn forms_of_english_words_are_one_word() {
    // The first tool is unrelated to all texts: a text without known words selects it.
    let tools = [
        ("get_time", "Returns the current time."),
        ("send_message", "Sends a message to a person."),
        ("delete_file", "Deletes a file."),
        ("list_cities", "Lists the cities of a country."),
        ("update_note", "Updates a note."),
        ("resize_image", "Changes the size of an image."),
        ("run_query", "Runs a query on the database."),
        ("pack_box", "Packs a box."),
    ];
    let texts = [
        ("messages", "send_message"),
        ("messaging", "send_message"),
        ("deleting files", "delete_file"),
        ("is it deleted?", "delete_file"),
        ("which city", "list_cities"),
        ("updates", "update_note"),
        ("updating", "update_note"),
        ("images", "resize_image"),
        ("running", "run_query"),
        ("queries", "run_query"),
        ("boxes", "pack_box"),
    ];
    assert_best(&tools, &texts);
}

#[test]
fn japanese() {
    let tools = [
        ("translate", "文章を翻訳してください。言語を指定します。"),
        ("mail", "メールを送信してください。宛先と本文を指定します。"),
        ("weather", "指定した場所の天気を取得する"),
        ("memo", "メモを保存します"),
        ("calc", "数式を計算します"),
        ("photo", "猫の写真を検索する"),
        ("restaurant", "おすすめのレストランを探す"),
    ];
    let texts = [
        ("東京の天気を教えてください", "weather"),
        ("メールしてください", "mail"),
        ("彼に送ってください", "mail"),
        ("これを英語に翻訳してください", "translate"),
        ("計算してください", "calc"),
        ("メモしてください", "memo"),
        ("写真を見せてください", "photo"),
        ("猫", "photo"),
        ("おすすめを教えてください", "restaurant"),
        ("ｍｅｍｏ", "memo"),
    ];
    assert_best(&tools, &texts);
}

#[test]
fn chinese() {
    let tools = [
        ("translate", "把文本翻译成另一种语言"),
        ("weather", "查询一个城市的天气"),
        ("email", "发送一封电子邮件"),
        ("calc", "计算一个数学表达式"),
        ("music", "播放一首歌曲"),
        ("search", "在网上搜索信息"),
        ("map_tw", "查詢兩個地點之間的路線"),
    ];
    let texts = [
        ("请问北京今天的天气怎么样", "weather"),
        ("帮我发一封邮件给他", "email"),
        ("把这个翻译成英语", "translate"),
        ("这个的总和是什么，请算一下", "calc"),
        ("歌", "music"),
        ("请帮我搜一个东西", "search"),
        ("請幫我找路線", "map_tw"),
    ];
    assert_best(&tools, &texts);
}

#[test]
fn parameters_count() {
    let mut registry = Registry::new(RegistryOptions::default());
    for (name, field) in [("first", "title"), ("second", "isbn")] {
        let schema = json!({ "type": "object", "properties": { field: { "type": "string" } } });
        registry.register(Tool::new(name).description("Finds a book.").parameters(schema), false).unwrap();
    }
    let filter = ToolFilter { relevant_to: Some("the ISBN".into()), limit: 1, ..ToolFilter::default() };
    assert_eq!(registry.names(&filter), ["second"]);
}
