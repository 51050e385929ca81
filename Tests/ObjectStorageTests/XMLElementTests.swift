import Foundation
import Testing

@testable import ObjectStorage

@Suite struct XMLElementTests {
    private func read(_ text: String) -> XMLElement? { XMLElement(document: Data(text.utf8)) }

    @Test func elementsAndTextAreRead() throws {
        let text = """
            <?xml version="1.0" encoding="UTF-8"?>
            <!-- a <list> -->
            <s3:List xmlns:s3="http://s3.amazonaws.com/doc/2006-03-01/"><Key a="1">a&amp;b &#x1F3AC;&#65;&lt;</Key
            ><Empty/><Key><![CDATA[<&]]></Key></s3:List>
            """
        let root = try #require(read(text))
        #expect(root.name == "List")
        #expect(root.all("Key").map(\.text) == ["a&b 🎬A<", "<&"])
        #expect(root["Empty"]?.text == "" && root["None"] == nil)
    }

    @Test(arguments: [
        "", "text", "<a>", "<a></b>", "</a>", "<a/><b/>", "<a>&unknown;</a>", "<a>&amp</a>", "<a>&#xD800;</a>", "<a",
        "<1/>",
        "<!DOCTYPE a [<!ENTITY x \"y\">]><a>&x;</a>", "<a></a>text", String(repeating: "<a>", count: 40),
    ])
    func isNotWellFormed(text: String) { #expect(read(text) == nil) }

    @Test func whatIsEscapedIsReadAgain() {
        let text = "a<b>&\"c\"'&amp;"
        #expect(read("<a>\(text.xmlEscaped)</a>")?.text == text)
    }
}
