import { z } from 'zod'
import { id, instant, pageNumber, route } from './kit.ts'

export const TermsVersion = z.string({ error: 'Required' }).trim().min(1, 'Required').max(40, 'Too Long!')

/** What the operator asks companies to accept: a text, the address of one, or both. */
export const Terms = z.object({
  version: z.string(),
  url: z.string(),
  text: z.string(),
  publishedAt: instant,
})
export type Terms = z.infer<typeof Terms>

export const TermsInput = z
  .object({
    version: TermsVersion,
    url: z
      .union([
        z.literal(''),
        z
          .string()
          .trim()
          .max(500, 'Too Long!')
          .pipe(z.url({ protocol: /^https?$/, error: 'Deve ser uma URL válida' })),
      ])
      .default(''),
    text: z.string().trim().max(50_000, 'Too Long!').default(''),
  })
  .refine(({ url, text }) => url !== '' || text !== '', {
    path: ['url'],
    message: 'Um endereço ou um texto',
  })
export type TermsInput = z.output<typeof TermsInput>

/** Who accepted which version, and when. */
export const TermsAcceptance = z.object({
  companyId: z.int(),
  companyName: z.string(),
  version: z.string(),
  acceptedAt: instant,
  name: z.string(),
  email: z.string(),
})
export type TermsAcceptance = z.infer<typeof TermsAcceptance>

const current = z.object({ terms: Terms.nullable() })

export const terms = {
  show: route('GET', '/terms', {
    needs: 'master',
    summary: 'The terms that companies are asked to accept; null: none.',
    reply: current,
  }),
  publish: route('PUT', '/terms', {
    needs: 'master',
    summary:
      'Publishes a version of the terms: sign-ups of the store accept it, and admins of every other company are asked to, once. ERR_BAD_REQUEST for a version that was published before with another content.',
    body: TermsInput,
    reply: current,
  }),
  withdraw: route('DELETE', '/terms', {
    needs: 'master',
    summary: 'No terms are asked for any more; who accepted what is kept.',
    reply: current,
  }),
  acceptances: route('GET', '/terms/acceptances', {
    needs: 'master',
    summary: 'Who accepted which version and when, of one company or all, the newest first.',
    query: z.object({ companyId: id.optional(), pageNumber: pageNumber.optional() }),
    reply: z.object({ acceptances: z.array(TermsAcceptance), hasMore: z.boolean() }),
  }),
  own: route('GET', '/ownTerms', {
    needs: 'administration',
    summary: 'The terms that the own company has not accepted yet; null: none.',
    reply: current,
  }),
  accept: route('POST', '/ownTerms', {
    needs: 'administration',
    summary:
      'Accepts the terms for the own company. ERR_TERMS_OPEN where the version is not the current one.',
    body: z.object({ version: TermsVersion }),
    reply: current,
  }),
}
