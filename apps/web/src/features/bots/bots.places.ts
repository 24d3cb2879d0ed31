import type { BotSetup } from '@balcao/contract/bots.ts'

type Placed = Pick<BotSetup, 'id' | 'name' | 'botType' | 'botConfigId'>

/** Where a bot is edited: its commands, or the prompt it delegates to (BOTSETUP-004, BOTSETUP-005). */
export const placeOfBot = ({ id, name, botType, botConfigId }: Placed): string =>
  botType === 'gpt' && botConfigId !== null
    ? `/botConfig/${botConfigId}`
    : `/Bots/${id}/${encodeURIComponent(name)}`
