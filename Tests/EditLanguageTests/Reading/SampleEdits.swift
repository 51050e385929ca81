/// Texts of edits for tests.
enum SampleEdits {
    /// A sound edit in which every key of the language is written.
    static let complete = """
        {
          "schema": "edit/1", // comments are kept out
          "format": { "size": [1280, 720], "frameRate": "30000/1001", "sampleRate": 48000, "channels": 2,
                      "color": "bt709", "background": "#102030" },
          "params": { "clip": { "type": "asset", "default": "b.mp4" }, "gain": { "type": "number", "default": 0.5 } },
          "assets": { "a": "media/a.mp4", "b": { "src": { "$param": "clip" } }, "c": { "src": "https://example.org/{{clip}}", "etag": "1-a", "version": "2", "digest": "sha256:0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b0b" },
                      "d": "sha256:\(String(repeating: "0a", count: 32))", "e": { "generate": "gradient", "size": [64, 36],
                      "colors": ["#000000", "#ffffff"], "direction": "down" }, "x-mine": 3,
                      "t": { "generate": "tone", "frequency": "440Hz", "wave": "square", "level": "-12dB", "duration": "1s" },
                      "w": { "generate": "sweep", "from": "20Hz", "to": "1kHz", "course": "linear", "channels": 2 },
                      "h": { "generate": "noise", "color": "brown", "seed": 7, "sampleRate": 44100 },
                      "v": { "generate": "speech", "text": "Hi", "voice": "en", "rate": 160, "pitch": 40, "gap": "10ms" },
                      "n": { "edit": "intro.json", "params": { "title": "One" } },
                      "r": { "src": "r.yuv", "raw": { "pixelFormat": "nv12", "size": [64, 36], "frameRate": "25" } },
                      "s": { "src": "s.pcm", "raw": { "sampleFormat": "u8", "sampleRate": 8000, "channels": 1 } } },
          "snap": "nearest",
          "master": { "volume": "-1dB", "processors": [{ "processor": "highPass", "frequency": "40Hz", "order": 4 }],
                      "limiter": { "ceiling": "-1.5 dB" }, "loudness": { "target": "-16LUFS", "truePeak": "-1dBTP" } },
          "tracks": [
            { "kind": "video", "id": "main", "sound": true, "opacity": 0.9, "blend": "screen", "volume": "-3dB", "segments": [
              { "asset": "a", "in": "#12", "duration": "00:00:05;00", "fit": "cover", "language": "DE", "sound": false },
              { "transition": "dissolve", "duration": "15f", "audio": "linear" },
              { "asset": "b", "range": ["1001/30000", "2s"], "track": "video/0", "snap": "never", "x-note": "kept" },
              { "gap": "150ms" },
              { "asset": "c", "at": "20s", "duration": "48000@44100", "speed": "-1/2" },
              { "asset": "a", "blend": "soft-light", "anchor": [0, "100%"],
                "position": [{ "at": "0s", "value": [640, "50%"] }, { "at": "1s", "value": ["8%h", "-3.5px"] }],
                "scale": 1.5, "rotate": [{ "at": "-1f", "value": 0, "ease": "inOutBack" }, { "at": "9f", "value": 90 }],
                "rotateX": 5, "rotateY": -5, "skew": [0, 12.5], "crop": [0, "10%", "5%w", 7],
                "opacity": [{ "at": "0s", "value": 0, "ease": "cubicBezier(0.4,0,0.6,1)" }, { "at": "2s", "value": 1 }] },
              { "asset": "e", "freeze": "#0", "duration": "1s", "effects": [
                { "effect": "chromaKey", "color": "#00b140", "tolerance": 0.2, "softness": 0.1, "spill": 0.5 },
                { "effect": "lumaKey", "threshold": 0.1, "softness": 0.2, "invert": 1 },
                { "effect": "exposure", "stops": [{ "at": "0s", "value": -1 }, { "at": "1s", "value": 0 }] },
                { "effect": "contrast", "amount": 1.2 }, { "effect": "temperature", "amount": 0.3, "tint": -0.1 },
                { "effect": "liftGammaGain", "lift": [0, 0, 0.1], "gamma": 1.1, "gain": [1, 1, 0.9] },
                { "effect": "blur", "radius": "1%" }, { "effect": "pixelate", "size": 8 },
                { "effect": "lut", "asset": "a", "amount": 0.5 },
                { "effect": "mask", "asset": "b", "channel": "luma", "invert": true, "in": "#3" },
                { "effect": "dropShadow", "color": "#102030", "offset": [4, "1%"], "radius": 6, "opacity": 0.4 } ] },
              { "transition": "iris", "shape": "star", "direction": "up", "duration": "5f", "ease": "inOutCubic",
                "softness": 0.25, "border": 0.05, "borderColor": "#FFCC00", "reversed": true },
              { "asset": "n", "duration": "2s", "blending": "frames" },
              { "transition": "clock", "count": 2, "counterclockwise": true, "duration": "5f" },
              { "asset": "r", "duration": "2s" },
              { "transition": "fan", "centered": true, "duration": "5f" },
              { "asset": "s", "duration": "2s" },
              { "transition": "luma", "map": "a", "duration": "5f" },
              { "asset": "a", "duration": "2s" },
              { "transition": "fadeThrough", "color": "#102030", "duration": "5f" },
            ] },
            { "kind": "audio", "volume": { "$param": "gain" }, "mute": false, "solo": true, "balance": -0.25,
              "duck": { "under": "main", "by": "-14dB", "threshold": "-45dB", "attack": "0.2s", "hold": "100ms",
                        "release": "1s" }, "segments": [
              { "asset": "d", "track": "audio/1", "loop": 3, "until": "picture", "pitch": "keep", "channels": [1, [0.5]],
                "pan": [{ "at": "0s", "value": -1, "ease": "outSine" }, { "at": "1s", "value": 1 }], "processors": [
                { "processor": "equalizer", "after": "volume", "bands": [{ "band": "peak", "frequency": "1kHz",
                  "gain": "3dB", "quality": 1 }] },
                { "processor": "compressor", "threshold": "-18dB", "ratio": 3, "attack": "5ms", "release": "0.25s",
                  "knee": 6, "makeup": "2dB" },
                { "processor": "gate", "range": "40dB", "hold": "0.1s" }, { "processor": "limiter", "ceiling": "-2dB" },
                { "processor": "delay", "time": "0.4s", "feedback": 0.3, "mix": 0.2, "dry": 0.5 },
                { "processor": "reverb", "decay": "2s", "size": 1.2, "damping": 0.4, "preDelay": "20ms" },
                { "processor": "noiseReduction", "amount": "12dB", "sensitivity": 5 } ], "volume": [
                { "at": "0s", "value": 0, "ease": "hold" }, { "at": "-1s", "value": "-6.5 dB", "ease": "linear" } ] },
              { "asset": "t" }, { "asset": "w" }, { "asset": "h" }, { "asset": "v" },
            ] },
            { "kind": "title", "segments": [
              { "subtitles": "d", "in": "1s", "duration": "1s" },
              { "text": "Hello\\nworld", "duration": "2s", "at": "1s", "color": "#ffffffcc", "align": "start", "language": "en",
                "font": { "family": ["Noto Sans", "Inter"], "weight": "bold", "style": "italic", "size": "8%", "asset": ["a"] },
                "lineSpacing": 1.2, "letterSpacing": "0.5px", "outline": { "width": 2, "color": "#000000" },
                "box": { "anchor": "bottom", "margin": "5%", "width": "80%", "background": { "color": "#00000080",
                         "padding": [8, 4], "radius": 6 } },
                "shadow": { "offset": [2, 3], "blur": 4, "color": "#000000" },
                "enter": { "move": "slide", "from": "left", "duration": "10f", "ease": "outCubic" }, "exit": "fade" },
              { "duration": "2s", "layers": [
                { "layer": "image", "asset": "a", "width": 100, "height": "10%" },
                { "layer": "group", "beginTime": "1s", "duration": "1s", "repeat": "forever", "autoreverse": true, "layers": [
                  { "layer": "shape", "shape": "ellipse", "size": ["10%", 20] } ] } ] },
            ] },
          ],
          "outputs": [ { "preset": "h264", "file": "out.mp4", "range": ["1s", "2s"] }, { "preset": "lossless", "dither": "triangular" },
                       { "preset": "match", "match": "a" } ],
        }
        """

    /// An edit with one video track that holds `segments`, at 25 frames per second.
    static func video(_ segments: String, more: String = "", track: String = "") -> String {
        """
        { "schema": "edit/1", "format": { "frameRate": "25" }, "assets": { "a": "a.mp4" }, \(more)
          "tracks": [ { "kind": "video", \(track) "segments": [ \(segments) ] } ] }
        """
    }

    /// The same with one audio track.
    static func audio(_ segments: String, track: String = "") -> String {
        video(segments, track: track).replacing("\"video\"", with: "\"audio\"")
    }
}
