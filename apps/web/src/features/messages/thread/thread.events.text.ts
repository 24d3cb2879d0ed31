import { chatEventTexts } from '@balcao/contract/chatEvents.text.ts'
import { texts } from '../../../platform/text.ts'

export const useChatEventText = texts(chatEventTexts)
