import { event } from '../../platform/events.ts'

/** Old messages were imported, or their tickets closed. */
export const importMoved = event<{
  action: 'update' | 'closed'
  status: { this: number; all: number; whatsappId: number }
}>('import.moved')
