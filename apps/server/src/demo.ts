import { demoCommand } from './demo.command.ts'
import { runProgram } from './platform/startup/command.ts'

runProgram(demoCommand)
