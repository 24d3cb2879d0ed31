import type { Words } from './words.ts'

export const api = ({ many, file }: Words) => `import { ${many} } from '@balcao/contract/${file}.ts'
import { queryOptions } from '@tanstack/react-query'
import { call } from '../../platform/call.ts'

export const ${many}Query = queryOptions({ queryKey: ['${file}'], queryFn: () => call(${many}.list) })
`

export const live = ({
  many,
  Many,
  one,
  One,
  file,
}: Words) => `import { apply${One} } from '@balcao/contract/${file}.rules.ts'
import { ${one}Channel } from '@balcao/contract/${file}.ts'
import { useEffect } from 'react'
import { listen } from '../../platform/live.ts'
import { queryClient } from '../../platform/query.ts'
import { ${many}Query } from './${file}.api.ts'

/** Stands in the shell while somebody is logged in. */
export function ${Many}Live() {
  useEffect(
    () =>
      listen(${one}Channel, push =>
        queryClient.setQueryData(${many}Query.queryKey, list => list && apply${One}(list, push)),
      ),
    [],
  )
  return null
}
`

export const text = ({ Many, One }: Words) => `import { texts } from '../../platform/text.ts'

export const use${One}Text = texts({
  title: ['${Many}', '${Many}', '${Many}'],
})
`

export const screen = ({
  many,
  Many,
  one,
  One,
  file,
}: Words) => `import { useQuery } from '@tanstack/react-query'
import { Page } from '../../ui/page.tsx'
import { ${many}Query } from './${file}.api.ts'
import { use${One}Text } from './${file}.text.ts'

export default function ${Many}Screen() {
  const t = use${One}Text()
  const { data: ${many} = [] } = useQuery(${many}Query)
  return (
    <Page title={t('title')}>
      <ul>
        {${many}.map(${one} => (
          <li key={${one}.id}>{${one}.name}</li>
        ))}
      </ul>
    </Page>
  )
}
`

export const card = ({
  many,
  Many,
  one,
  file,
}: Words) => `import type { Feature } from '../../platform/features.ts'
import { ${Many}Live } from './${file}.live.ts'

export const ${many}: Feature = {
  screens: [{ path: '/${file}', access: 'private', load: () => import('./${one}-screen.tsx') }],
  Always: ${Many}Live,
}
`

export const e2e = ({ many }: Words) => `import { expect, test } from './world.ts'

test('the ${many} of the company open', async ({ people }) => {
  const admin = await people.admin()
  await admin.goto('/${many}')
  await expect(admin.getByRole('heading', { level: 1 })).toBeVisible()
})
`
