import { dataCommand } from './data.command.ts'
import { runProgram } from './platform/startup/command.ts'

runProgram(dataCommand)
