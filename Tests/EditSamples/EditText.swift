/// The text of an edit with one video track, of the given items.
package func editText(
    _ items: [String],
    assets: [String],
    rate: String = "25",
    size: String = "[1280, 720]",
    outputs: String = #"[{ "preset": "h264" }]"#
) -> String {
    let named = assets.map { "\"\($0)\": \"\($0).mp4\"" }.joined(separator: ", ")
    return """
        { "schema": "edit/1",
          "format": { "size": \(size), "frameRate": "\(rate)", "sampleRate": 48000, "channels": 2 },
          "assets": { \(named) },
          "tracks": [ { "kind": "video", "id": "main", "segments": [ \(items.joined(separator: ",\n")) ] } ],
          "outputs": \(outputs) }
        """
}
