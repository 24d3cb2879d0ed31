import { botConfigChannel } from '@balcao/contract/botConfigs.ts'
import { followList } from '../../platform/lists.ts'
import { BOT_CONFIGS } from './botConfigs.api.ts'

export const followBotConfigs = () => followList(botConfigChannel, BOT_CONFIGS)
