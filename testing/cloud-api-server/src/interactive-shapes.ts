import { z } from 'zod'
import { bounded, few } from './reading.ts'

const wrong = (error: string) => ({ error, params: { code: 131009 } })

const linked = z.strictObject({
  id: z.string().optional(),
  link: z.url().optional(),
  filename: z.string().optional(),
})

const Header = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: bounded('Header text', 60) }),
  z.strictObject({ type: z.literal('image'), image: linked }),
  z.strictObject({ type: z.literal('video'), video: linked }),
  z.strictObject({ type: z.literal('document'), document: linked }),
])

const around = {
  footer: z.strictObject({ text: bounded('Footer text', 60) }).optional(),
}

const Button = z.strictObject({
  type: z.literal('reply'),
  reply: z.strictObject({ id: bounded('Button id', 256), title: bounded('Button title', 20) }),
})

const Row = z.strictObject({
  id: bounded('Row id', 200),
  title: bounded('Row title', 24),
  description: bounded('Row description', 72, 0).optional(),
})

const Section = z.strictObject({ title: bounded('Section title', 24).optional(), rows: few(Row, 'rows', 10) })

const ReplyButtons = z.strictObject({
  ...around,
  type: z.literal('button'),
  header: Header.optional(),
  body: z.strictObject({ text: bounded('Body text', 1024) }),
  action: z.strictObject({
    buttons: few(Button, 'buttons', 3)
      .refine(buttons => differ(buttons.map(({ reply }) => reply.id)), wrong('Duplicated button ids'))
      .refine(buttons => differ(buttons.map(({ reply }) => reply.title)), wrong('Duplicated button titles')),
  }),
})

const List = z.strictObject({
  ...around,
  type: z.literal('list'),
  header: z.strictObject({ type: z.literal('text'), text: bounded('Header text', 60) }).optional(),
  body: z.strictObject({ text: bounded('Body text', 4096) }),
  action: z.strictObject({
    button: bounded('Button label', 20),
    sections: few(Section, 'sections', 10)
      .refine(
        sections => sections.length === 1 || sections.every(({ title }) => title),
        wrong('Section title is required'),
      )
      .refine(
        sections => rowsOf(sections).length <= 10,
        wrong('Total row count exceed max allowed count: 10'),
      )
      .refine(sections => differ(rowsOf(sections).map(({ id }) => id)), wrong('Duplicated row ids')),
  }),
})

const Link = z.strictObject({
  ...around,
  type: z.literal('cta_url'),
  header: Header.optional(),
  body: z.strictObject({ text: bounded('Body text', 1024) }),
  action: z.strictObject({
    name: z.literal('cta_url'),
    parameters: z.strictObject({ display_text: bounded('Display text', 20), url: z.url() }),
  }),
})

/** Buttons to answer with, a list to choose from, a button that opens a page. */
export const Interactive = z.discriminatedUnion('type', [ReplyButtons, List, Link])

export type InteractiveAsked = z.infer<typeof Interactive>

function rowsOf(sections: { rows: { id: string }[] }[]) {
  return sections.flatMap(({ rows }) => rows)
}

function differ(texts: string[]) {
  return new Set(texts).size === texts.length
}
