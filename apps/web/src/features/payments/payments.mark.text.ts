import { texts } from '../../platform/text.ts'

export const useMarkText = texts({
  waiting: ['{count} a conferir', '{count} to review', '{count} por revisar'],
})
