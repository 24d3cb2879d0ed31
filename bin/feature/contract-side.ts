import type { Words } from './words.ts'

export const shapes = ({ many, one, One, file }: Words) => `import { z } from 'zod'
import { channel, id, route, text } from './kit.ts'

export const ${One} = z.object({ id: z.int(), name: z.string() })
export type ${One} = z.infer<typeof ${One}>

export const ${One}Input = z.object({ name: text(2, 50) })

const ${one}Id = z.object({ ${one}Id: id })

export const ${many} = {
  list: route('GET', '/${file}', {
    needs: 'session',
    says: 'All ${many} of the company by name.',
    reply: z.array(${One}),
  }),
  create: route('POST', '/${file}', {
    needs: 'administration',
    says: 'Adds one of the ${many}.',
    body: ${One}Input,
    reply: ${One},
  }),
  change: route('PUT', '/${file}/:${one}Id', {
    needs: 'administration',
    says: 'Changes one of the ${many}.',
    params: ${one}Id,
    body: ${One}Input,
    reply: ${One},
  }),
}

export const ${one}Channel = channel(
  '${one}-{companyId}',
  z.object({ action: z.enum(['create', 'update']), ${one}: ${One} }),
)
`

export const rules = ({ one, One, file }: Words) => `import type { z } from 'zod'
import type { ${One}, ${one}Channel } from './${file}.ts'

/** What one push does to the list on the screen: the list as a fetch would answer it now. */
export const apply${One} = (list: ${One}[], push: z.output<(typeof ${one}Channel)['payload']>): ${One}[] =>
  [...list.filter(({ id }) => id !== push.${one}.id), push.${one}].sort((a, b) => a.name.localeCompare(b.name))
`
