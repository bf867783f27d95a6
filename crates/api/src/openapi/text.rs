//! Writes a document as text, with one line for each operation and for each component: a difference shows which of them changed.

use serde_json::{Map, Value};

/// The order of the parts of a document; all other members are sorted by name.
const PARTS: [&str; 5] = ["openapi", "info", "security", "paths", "components"];
/// How deep the lines are: part, path and verb, or part, kind and name.
const DEPTH: usize = 3;

/// The document as text, with an end of line.
pub(super) fn of(document: &Map<String, Value>) -> String {
    let mut text = String::from("{");
    for (index, part) in PARTS.iter().filter(|part| document.contains_key(**part)).enumerate() {
        text.push_str(if index == 0 { "\n" } else { ",\n" });
        member(&mut text, part, &document[*part], 1);
    }
    text.push_str("\n}\n");
    text
}

fn member(text: &mut String, name: &str, value: &Value, depth: usize) {
    text.extend(std::iter::repeat_n(' ', depth));
    text.push_str(&Value::from(name).to_string());
    text.push(':');
    match value {
        Value::Object(members) if depth < DEPTH && members.values().any(Value::is_object) => {
            text.push('{');
            for (index, (name, value)) in members.iter().enumerate() {
                text.push_str(if index == 0 { "\n" } else { ",\n" });
                member(text, name, value, depth + 1);
            }
            text.push('\n');
            text.extend(std::iter::repeat_n(' ', depth));
            text.push('}');
        }
        _ => text.push_str(&value.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_operation_and_each_component_has_a_line() {
        let document = json!({
            "components": {"schemas": {"A": {"type": "object", "properties": {"b": {"enum": ["é"]}}}}},
            "info": {"title": "\"", "list": []},
            "openapi": "3.1.0",
            "paths": {"/a": {"get": {"tags": [{"x": 1}]}, "put": {}}},
        });
        let text = of(document.as_object().unwrap_or(&Map::new()));
        let lines = [
            "{",
            " \"openapi\":\"3.1.0\",",
            " \"info\":{\"list\":[],\"title\":\"\\\"\"},",
            " \"paths\":{",
            "  \"/a\":{",
            "   \"get\":{\"tags\":[{\"x\":1}]},",
            "   \"put\":{}",
            "  }",
            " },",
            " \"components\":{",
            "  \"schemas\":{",
            "   \"A\":{\"properties\":{\"b\":{\"enum\":[\"é\"]}},\"type\":\"object\"}",
            "  }",
            " }",
            "}",
        ];
        assert_eq!(text.lines().collect::<Vec<_>>(), lines);
        assert_eq!(serde_json::from_str::<Value>(&text).ok(), Some(document));
    }
}
