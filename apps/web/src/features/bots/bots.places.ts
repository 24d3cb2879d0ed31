import type { BotSetup } from '@balcao/contract/bots.ts'

type Placed = Pick<BotSetup, 'id' | 'name' | 'botType' | 'botConfigId'>

/** Where a bot is made: its commands, or the prompt that it hands everything to (BOTSETUP-004, BOTSETUP-005). */
export const placeOfBot = ({ id, name, botType, botConfigId }: Placed): string =>
  botType === 'gpt' && botConfigId !== null
    ? `/botConfig/${botConfigId}`
    : `/Bots/${id}/${encodeURIComponent(name)}`
