import { botConfigChannel } from '@balcao/contract/botConfigs.ts'
import { followList } from '../../platform/lists.ts'

export const BOT_CONFIGS = ['botConfigs']

export const followBotConfigs = () => followList(botConfigChannel, BOT_CONFIGS)
