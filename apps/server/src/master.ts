import { masterCommand } from './master.command.ts'
import { runProgram } from './platform/startup/command.ts'

runProgram(masterCommand)
