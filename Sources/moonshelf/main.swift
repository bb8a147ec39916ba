import Commands
import Foundation

let environment = ProcessInfo.processInfo.environment
exit(
    Program.execute(
        Array(CommandLine.arguments.dropFirst()), console: .standard(environment: environment),
        environment: environment))
