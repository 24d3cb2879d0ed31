import { backupCommand } from './backup.command.ts'
import { runProgram } from './platform/startup/command.ts'

runProgram(backupCommand)
