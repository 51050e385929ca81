KernelBench(only: CommandLine.arguments.dropFirst().first).run()
