import { event } from '../../platform/events.ts'

/** Old messages were taken in, or the tickets that came of them were closed. */
export const importMoved = event<{
  action: 'update' | 'closed'
  status: { this: number; all: number; whatsappId: number }
}>('import.moved')
