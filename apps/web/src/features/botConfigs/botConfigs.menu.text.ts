import { texts } from '../../platform/text.ts'

export const useBotConfigMenuText = texts({
  ai: ['Integração IA', 'AI integration', 'Integración IA'],
})
