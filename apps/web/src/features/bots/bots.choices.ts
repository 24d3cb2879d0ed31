import { botConfigList } from '../botConfigs/botConfigs.api.ts'
import { flowList } from '../flows/flows.api.ts'

/** The flows that a command plays (BOTCMD-015). */
export const botFlows = (words: string) => flowList(words, { type: 'Bot' })

export const prompts = (words: string) => botConfigList(words)
