import { z } from 'zod'
import { text } from './kit.ts'

/** What fits above buttons, and above a list (Meta, "Interactive reply buttons" and "Interactive lists"). */
export const MAX_OVER = { buttons: 1_024, list: 4_096 }
const MAX_ROWS = 10
/** Of the title and the description of an entry of a list. */
export const MAX_ROW = { title: 24, description: 72 }

const Row = z.object({
  title: text(1, MAX_ROW.title),
  description: z.string().trim().max(MAX_ROW.description, 'Too Long!').optional(),
})

const Section = z.object({
  /** Needed where there are several. */
  title: z.string().trim().max(24, 'Too Long!').default(''),
  rows: z.array(Row).min(1, 'Required').max(MAX_ROWS, 'Too Long!'),
})

/** What the customer may answer with a tap: a few buttons, or rows of a list that opens. */
export const Choices = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('buttons'),
    buttons: z
      .array(text(1, 20))
      .min(1, 'Required')
      .max(3, 'Too Long!')
      .superRefine((buttons, { addIssue }) => {
        const twice = buttons.findIndex((button, at) => buttons.indexOf(button) < at)
        if (twice >= 0) addIssue({ code: 'custom', path: [twice], message: 'Already there' })
      }),
  }),
  z.object({
    kind: z.literal('list'),
    /** What opens it. */
    button: text(1, 20),
    sections: z
      .array(Section)
      .min(1, 'Required')
      .max(MAX_ROWS, 'Too Long!')
      .superRefine((sections, { addIssue }) => {
        const nameless = sections.length > 1 ? sections.findIndex(({ title }) => title === '') : -1
        if (nameless >= 0) addIssue({ code: 'custom', path: [nameless, 'title'], message: 'Required' })
        if (sections.flatMap(({ rows }) => rows).length > MAX_ROWS)
          addIssue({ code: 'custom', path: [], message: 'Too Long!' })
      }),
  }),
])
export type Choices = z.infer<typeof Choices>

/** What may be tapped, in order. */
export const titlesOf = (choices: Choices): string[] =>
  choices.kind === 'buttons'
    ? choices.buttons
    : choices.sections.flatMap(({ rows }) => rows.map(({ title }) => title))
