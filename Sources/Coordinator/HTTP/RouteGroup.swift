/// Routes that serve one purpose, with nothing but what they need for it.
protocol RouteGroup: Sendable {
    /// Adds the routes to the table of the server.
    func add(to table: RouteTable)
}
