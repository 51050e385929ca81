/// Finds the known name that a misspelt one was meant to be.
package enum Spelling {
    /// The known name that has the meaning of `word` in other programs, else the one nearest in spelling; nil when none
    /// is near, and when a ``SpellingAllowance`` is spent. One mistake is allowed, two from five letters on, three from
    /// eight on.
    package static func nearest(to word: String, in known: some Sequence<String>) -> String? {
        // What the first 64 letters of a word are near to has no more bytes than this; a name may have millions.
        let known = known.filter { $0.utf8.count <= mostBytes }
        guard SpellingAllowance.take(known.count + 1) else { return nil }
        let letters = word.prefix(64).lowercased().filter { $0.isLetter || $0.isNumber }
        if let meant = synonyms[letters]?.first(where: known.contains) { return meant }
        let lower = Array(word.prefix(64).lowercased())
        let limit = max(1, (lower.count + 1) / 3)
        let ranked = known.map { (name: $0, distance: distance(lower, Array($0.lowercased()))) }
        return ranked.filter { $0.distance <= limit }.min { $0.distance < $1.distance }?.name
    }

    /// The most bytes of UTF-8 of a name that is compared.
    private static let mostBytes = 1000

    /// The names that other programs and CSS use, as lower-case letters and digits, with the names used here.
    private static let synonyms: [String: [String]] = [
        "easing": ["ease"], "timing": ["ease"], "interpolation": ["ease"], "curve": ["ease"],
        "time": ["at"], "start": ["at"], "begin": ["beginTime", "at"],
        "length": ["duration"], "dur": ["duration"], "trim": ["range", "in"], "source": ["asset", "src"],
        "src": ["asset"], "clip": ["asset"], "file": ["asset", "src"], "path": ["src"], "url": ["src"],
        "fps": ["frameRate"], "framerate": ["frameRate"], "rate": ["frameRate", "speed"], "resolution": ["size"],
        "dimensions": ["size"], "clips": ["segments"], "items": ["segments"],
        "type": ["kind", "layer", "effect", "processor", "band"],
        "rotation": ["rotate"], "angle": ["rotate"], "zoom": ["scale"], "alpha": ["opacity"],
        "transparency": ["opacity"], "translate": ["position"], "pos": ["position"], "blendmode": ["blend"],
        "gain": ["volume", "makeup", "level"], "loudness": ["volume"], "filters": ["effects", "processors"],
        "filter": ["effect", "processor"], "audioeffects": ["processors"],
        "stretch": ["fill"], "scaletofill": ["fill"], "crop": ["cover"], "zoomtofill": ["cover"],
        "letterbox": ["contain"],
        "circle": ["ellipse"], "oval": ["ellipse"], "rect": ["rectangle"], "box": ["rectangle"],
        "square": ["rectangle"],
        "heavy": ["black"], "demibold": ["semibold"], "ultrabold": ["extrabold"], "ultralight": ["extralight"],
        "normal": ["regular"], "book": ["regular"], "hairline": ["thin"], "oblique": ["italic"], "roman": ["normal"],
        "middle": ["center"], "centre": ["center"], "centered": ["center"], "justified": ["justify"],
        "gaussianblur": ["blur"], "boxblur": ["blur"], "greenscreen": ["chromaKey"], "keyer": ["chromaKey"],
        "grayscale": ["blackAndWhite"], "greyscale": ["blackAndWhite"], "monochrome": ["blackAndWhite"],
        "shadow": ["dropShadow"], "mosaic": ["pixelate"], "huesaturation": ["saturation"], "crossfade": ["dissolve"],
        "crossdissolve": ["dissolve"], "fade": ["dissolve"], "colour": ["color"],
        "fontsize": ["size"], "fontfamily": ["family"], "fontweight": ["weight"], "textalign": ["align"],
        "wav24": ["wav"], "pcm": ["wav"], "pcm24": ["wav"], "wave": ["wav"], "mp4": ["h264"], "mov": ["h264"],
        "x264": ["h264"], "avc": ["h264"], "m4a": ["aac"], "ogg": ["opus"], "40": ["quad"],
        "eq": ["equalizer"], "equaliser": ["equalizer"], "parametriceq": ["equalizer"], "hpf": ["highPass"],
        "lowcut": ["highPass"], "lpf": ["lowPass"], "highcut": ["lowPass"], "comp": ["compressor"],
        "acompressor": ["compressor"], "alimiter": ["limiter"], "brickwall": ["limiter"], "maximizer": ["limiter"],
        "noisegate": ["gate"], "agate": ["gate"], "expander": ["gate"], "echo": ["delay"], "aecho": ["delay"],
        "room": ["reverb"], "hall": ["reverb"], "convolution": ["reverb"], "denoise": ["noiseReduction"],
        "denoiser": ["noiseReduction"], "afftdn": ["noiseReduction"], "freq": ["frequency"], "cutoff": ["frequency"],
        "q": ["quality"], "bandwidth": ["quality"], "wet": ["mix"], "drywet": ["mix"], "decaytime": ["decay"],
        "makeupgain": ["makeup"], "limit": ["ceiling"], "reduction": ["amount"], "bell": ["peak"],
        "peaking": ["peak"], "lowshelving": ["lowShelf"], "highshelving": ["highShelf"],
        "normalize": ["loudness"], "normalise": ["loudness"], "loudnorm": ["loudness"], "lufs": ["loudness", "target"],
        "ebur128": ["loudness"], "integrated": ["target"], "tp": ["truePeak"], "peak": ["truePeak"],
        "maxtruepeak": ["truePeak"], "panning": ["pan"], "ducking": ["duck"], "sidechain": ["duck"],
        "muted": ["mute"], "audiochannels": ["channels"], "channelmap": ["channels"], "layout": ["channels"],
        "samplingrate": ["sampleRate"], "repeat": ["loop"], "loops": ["loop"], "tempo": ["speed"],
        "preservepitch": ["pitch"], "keeppitch": ["pitch"], "constantpower": ["equalPower"],
        "constantgain": ["linear"], "sine": ["tone"], "sinewave": ["tone"], "beep": ["tone"], "chirp": ["sweep"],
        "whitenoise": ["noise"], "pinknoise": ["noise"], "brownnoise": ["noise"], "red": ["brown"], "tts": ["speech"],
        "say": ["speech"], "amplitude": ["level"], "waveform": ["wave"],
        "sigma": ["radius"], "stroke": ["outline"], "typewriter": ["type"], "bounce": ["pop"],
    ]

    /// The number of insertions, deletions, replacements and swaps of neighbours between two words (optimal string
    /// alignment, the restricted Damerau–Levenshtein distance).
    static func distance(_ first: [Character], _ second: [Character]) -> Int {
        _ = WorkMeter.step(1 + (first.count + second.count) / 1000)
        var beforeLast: [Int] = []
        var last = Array(0...second.count)
        for row in 0..<first.count {
            var current = [row + 1]
            for column in 0..<second.count {
                let isSame = first[row] == second[column]
                var best = min(last[column + 1] + 1, current[column] + 1, last[column] + (isSame ? 0 : 1))
                let isSwap =
                    row > 0 && column > 0 && first[row] == second[column - 1] && first[row - 1] == second[column]
                if isSwap { best = min(best, beforeLast[column - 1] + 1) }
                current.append(best)
            }
            (beforeLast, last) = (last, current)
        }
        return last[second.count]
    }
}
