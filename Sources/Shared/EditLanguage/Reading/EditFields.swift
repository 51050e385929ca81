import CompositionModel

/// The members of an object of the edit language, all of them known.
struct EditFields {
    let object: EditObject
    let mark: SourceMark
    private let members: [JSONMember]

    /// - Parameter members: those with keys of the object's table, none twice.
    init(object: EditObject, mark: SourceMark, members: [JSONMember]) {
        self.object = object
        self.mark = mark
        self.members = members
    }

    /// The value of a key of the object's table; nil when it is not written.
    subscript(key: String) -> JSONNode? {
        assert(object.table.names.contains(key), "\(key) is in no table of \(object)")
        return members.first { $0.key == key }?.node
    }
}
