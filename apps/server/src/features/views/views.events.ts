import { event } from '../../platform/events.ts'

/** A view was added, changed or deleted: of this user, or of all where it is null. */
export const viewChanged = event<{ viewId: number; userId: number | null }>('view.changed')
