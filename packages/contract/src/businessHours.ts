import { z } from 'zod'
import { overlapIn } from './businessHours.rules.ts'
import { day, route } from './kit.ts'

const minutes = z.int().min(0).max(1_440)

/** From when to when on a day of the week (0 is Sunday), in minutes of the company's clock. A night is two of them. */
export const OpenHours = z
  .object({ weekday: z.int().min(0).max(6), opens: minutes, closes: minutes })
  .refine(({ opens, closes }) => opens < closes, { path: ['closes'], message: 'Closes before it opens' })
export type OpenHours = z.infer<typeof OpenHours>

export const Holiday = z.object({ day, name: z.string().trim().max(100, 'Too Long!') })
export type Holiday = z.infer<typeof Holiday>

/** Opening hours of a company, which queues and connections may have of their own (`PlaceHours`). Without hours nothing is measured against them. */
export const BusinessHours = z.object({
  hours: z
    .array(OpenHours)
    .max(70)
    .superRefine((hours, context) => {
      const place = overlapIn(hours)
      if (place !== null)
        context.addIssue({ code: 'custom', path: [place, 'opens'], message: 'Begins before another ends' })
    }),
  holidays: z
    .array(Holiday)
    .max(500)
    .refine(all => new Set(all.map(one => one.day)).size === all.length, 'The same day twice'),
})
export type BusinessHours = z.infer<typeof BusinessHours>

/**
 * Hours of a queue or a connection, by the company's clock; `hours` without a row: never open. Null asks the next of: the
 * queue, the connection, the company. The same of the holidays, which replace those of the next; an empty list: none.
 */
export const PlaceHours = z.object({
  hours: z.array(OpenHours).nullable(),
  holidays: z.array(Holiday).nullable(),
})
export type PlaceHours = z.infer<typeof PlaceHours>

export const PlaceHoursInput = z.object({
  hours: BusinessHours.shape.hours.nullable().optional(),
  holidays: BusinessHours.shape.holidays.nullable().optional(),
})

export const businessHours = {
  show: route('GET', '/businessHours', {
    needs: 'administration',
    summary: 'When the company is open: its hours by day of the week, and the days on which it is closed.',
    reply: BusinessHours,
  }),
  change: route('PUT', '/businessHours', {
    edits: '/businessHours',
    needs: 'administration',
    summary:
      'Says all of it anew. What is closed from then on is measured against it; what was closed stays as it was.',
    body: BusinessHours,
    reply: BusinessHours,
  }),
}
