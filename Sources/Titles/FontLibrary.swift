import CPango
import Glibc

/// What is done once in a process before fonts are used.
enum FontLibrary {
    /// Fontconfig without any of the machine's fonts or rules, and Pango without the machine's languages.
    static let isPrepared: Bool = {
        setenv("PANGO_LANGUAGE", "en", 1)
        // Pango asks for fontconfig's own configuration in a thread of its own: it finds this one.
        guard let config = FcConfigCreate() else { return false }
        return FcConfigSetCurrent(config) == FcTrue
    }()

    /// A new configuration that knows no fonts and one rule: fonts of pictures (emoji) are scaled to the size asked
    /// for.
    static func makeConfig() -> OpaquePointer? {
        guard isPrepared, let config = FcConfigCreate() else { return nil }
        guard FcConfigParseAndLoadFromMemory(config, rules, FcTrue) == FcTrue else {
            FcConfigDestroy(config)
            return nil
        }
        return config
    }

    /// The rules of fontconfig's own 10-scale-bitmap-fonts.conf.
    private static let rules = """
        <?xml version="1.0"?>
        <fontconfig>
          <match target="font">
            <test name="outline" compare="eq"><bool>false</bool></test>
            <edit name="pixelsizefixupfactor" mode="assign">
              <divide><name target="pattern">pixelsize</name><name target="font">pixelsize</name></divide>
            </edit>
            <edit name="matrix" mode="assign">
              <times>
                <name>matrix</name>
                <matrix>
                  <name>pixelsizefixupfactor</name><double>0</double>
                  <double>0</double><name>pixelsizefixupfactor</name>
                </matrix>
              </times>
            </edit>
            <edit name="size" mode="assign">
              <divide><name>size</name><name>pixelsizefixupfactor</name></divide>
            </edit>
          </match>
        </fontconfig>
        """
}

/// Versions of what draws text.
package enum TextLibraries {
    /// The versions by library: `pango` → `1.50.12`.
    package static let versions: [String: String] = [
        "pango": String(cString: pango_version_string()),
        "cairo": String(cString: cairo_version_string()),
        "harfbuzz": String(cString: hb_version_string()),
        "freetype": freetype,
        "fontconfig": "\(FcGetVersion())",
    ]

    private static var freetype: String {
        var library: FT_Library?
        guard FT_Init_FreeType(&library) == 0 else { return "none" }
        defer { FT_Done_FreeType(library) }
        var (major, minor, patch): (FT_Int, FT_Int, FT_Int) = (0, 0, 0)
        FT_Library_Version(library, &major, &minor, &patch)
        return "\(major).\(minor).\(patch)"
    }
}
