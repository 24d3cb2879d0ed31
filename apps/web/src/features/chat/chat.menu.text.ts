import { texts } from '../../platform/text.ts'

export const useChatMenuText = texts({ chat: ['Conversas internas', 'Team chat', 'Chat interno'] })
