import CompositionModel

/// The kinds of objects in an edit, each with its table of keys.
enum EditObject: String, Sendable, Hashable, CaseIterable {
    case edit, format, source, generated, generatedSound, nestedEdit, raw, parameter
    case videoTrack, audioTrack, videoSegment, audioSegment, gap, transition
    case titleTrack, title, font, titleBox, titleBackground, titleOutline, titleShadow, titleMove
    case textLayer, shapeLayer, imageLayer, groupLayer
    case volumeKey, speedKey, propertyKey, effect, processor, equalizerBand, duck
    case master, masterLimiter, masterLoudness, output

    /// How a message calls it.
    var name: String {
        switch self {
        case .edit: "the edit"
        case .format: "the format"
        case .source: "an asset"
        case .generated: "a generated picture"
        case .generatedSound: "a generated sound"
        case .nestedEdit: "an edit as an asset"
        case .raw: "a raw file"
        case .parameter: "a parameter"
        case .videoTrack: "a video track"
        case .audioTrack: "an audio track"
        case .videoSegment: "a segment of a video track"
        case .audioSegment: "a segment of an audio track"
        case .gap: "a gap"
        case .transition: "a transition"
        case .titleTrack: "a title track"
        case .title: "a title"
        case .font: "a font"
        case .titleBox: "the box of a title"
        case .titleBackground: "a background"
        case .titleOutline: "an outline"
        case .titleShadow: "a shadow"
        case .titleMove: "a move"
        case .textLayer: "a text layer"
        case .shapeLayer: "a shape layer"
        case .imageLayer: "an image layer"
        case .groupLayer: "a group"
        case .volumeKey: "a volume key"
        case .speedKey: "a speed key"
        case .propertyKey: "a key"
        case .effect: "an effect"
        case .processor: "a processor"
        case .equalizerBand: "a band"
        case .duck: "a duck"
        case .master: "the master"
        case .masterLimiter: "the limiter"
        case .masterLoudness: "the loudness"
        case .output: "an output"
        }
    }

    /// The keys that an object may have, and their names.
    struct KeyTable: Sendable {
        let keys: [EditKey]
        let names: Set<String>
        /// Those that have to be written.
        let required: [EditKey]

        fileprivate init(_ keys: [EditKey]) {
            self.keys = keys
            names = Set(keys.map(\.name))
            required = keys.filter { $0.example != nil }
        }
    }

    /// Made once: an edit may have hundreds of thousands of objects.
    private static let tables = Dictionary(uniqueKeysWithValues: allCases.map { ($0, KeyTable($0.listedKeys)) })

    var table: KeyTable { EditObject.tables[self] ?? KeyTable(listedKeys) }

    /// What this version understands.
    var keys: [EditKey] { table.keys }

    private var listedKeys: [EditKey] {
        switch self {
        case .edit: EditObject.editKeys
        case .format: EditObject.formatKeys
        case .source: EditObject.sourceKeys
        case .generated: EditObject.generatedKeys
        case .generatedSound: EditObject.generatedSoundKeys
        case .nestedEdit: EditObject.nestedEditKeys
        case .raw: EditObject.rawKeys
        case .parameter: EditObject.parameterKeys
        case .videoTrack: EditObject.trackKeys(.videoSegment) + EditObject.pictureTrackKeys + EditObject.soundTrackKeys
        case .audioTrack: EditObject.trackKeys(.audioSegment) + EditObject.soundTrackKeys
        case .videoSegment: EditObject.segmentKeys + EditObject.pictureKeys
        case .audioSegment: EditObject.segmentKeys + [EditObject.untilKey]
        case .gap: [EditKey("gap", .time, required: #""2s""#, "How long nothing is.")]
        case .transition: EditObject.transitionKeys
        case .titleTrack: EditObject.titleTrackKeys
        case .title: EditObject.titleKeys
        case .font: EditObject.fontKeys
        case .titleBox: EditObject.titleBoxKeys
        case .titleBackground: EditObject.titleBackgroundKeys
        case .titleOutline: EditObject.titleOutlineKeys
        case .titleShadow: EditObject.titleShadowKeys
        case .titleMove: EditObject.titleMoveKeys
        case .textLayer: EditObject.textLayerKeys
        case .shapeLayer: EditObject.shapeLayerKeys
        case .imageLayer: EditObject.imageLayerKeys
        case .groupLayer: EditObject.groupLayerKeys
        case .volumeKey: EditObject.volumeKeys
        case .speedKey: EditObject.speedKeys
        case .propertyKey: EditObject.propertyKeys
        case .effect: EditObject.effectKeys
        case .processor: EditObject.processorKeys
        case .equalizerBand: EditObject.bandKeys
        case .duck: EditObject.duckKeys
        case .master: EditObject.masterKeys
        case .masterLimiter: EditObject.limiterKeys
        case .masterLoudness: EditObject.loudnessKeys
        case .output: EditObject.outputKeys
        }
    }

    /// Keys of the edit language that this version refuses by name.
    var laterKeys: [String] {
        switch self {
        case .edit: []
        case .source: ["fonts"]
        case .videoSegment: ["until"] + EditObject.titleProperties
        case .audioSegment: []
        case .titleTrack: PictureProperty.allCases.map(\.rawValue) + ["blend", "effects"]
        case .format, .generated, .generatedSound, .nestedEdit, .raw, .parameter, .output: []
        case .gap, .transition, .volumeKey, .speedKey, .propertyKey: []
        case .videoTrack, .audioTrack, .processor, .equalizerBand, .duck, .master, .masterLimiter, .masterLoudness: []
        case .title, .textLayer, .shapeLayer, .imageLayer, .groupLayer, .effect: []
        case .font, .titleBox, .titleBackground, .titleOutline, .titleShadow, .titleMove: []
        }
    }

    private static let titleProperties = [
        "text", "layers", "font", "color", "align", "box", "outline", "shadow", "enter", "exit",
    ]
}
