import type { ApiDescription } from '@balcao/contract/publicApi.ts'
import { Description } from './description.tsx'
import classes from './publicApi.module.css'
import { usePublicApiText } from './publicApi.text.ts'

/** What other systems are sent by themselves, as soon as an admin names their address. */
export function WebhookCards({ webhooks }: { webhooks: NonNullable<ApiDescription['webhooks']> }) {
  const t = usePublicApiText()
  return (
    <>
      <h2 className={classes.heading}>{t('webhooks')}</h2>
      <p className={classes.intro}>{t('webhooksIntro')}</p>
      {Object.entries(webhooks).map(([type, { post }]) => (
        <details key={type} className={classes.call}>
          <summary className={classes.head}>
            <code className={classes.path}>{type}</code>
          </summary>
          <div className={classes.inside}>
            <p>
              <Description of={type}>{post.summary}</Description>
            </p>
            <h3>data</h3>
            <ul className={classes.taken}>
              {Object.entries(dataOf(post)).map(([name, { type: kind }]) => (
                <li key={name}>
                  <code>{name}</code>
                  <small>{[kind].flat().join(' | ')}</small>
                </li>
              ))}
            </ul>
            {exampleOf(post) !== undefined && (
              <>
                <h3>{t('example')}</h3>
                {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls is reached by the keyboard */}
                <pre className={classes.code} tabIndex={0}>
                  {JSON.stringify(exampleOf(post), null, 2)}
                </pre>
              </>
            )}
          </div>
        </details>
      ))}
    </>
  )
}

type Post = NonNullable<ApiDescription['webhooks']>[string]['post']

const dataOf = ({ requestBody }: Post) =>
  requestBody.content['application/json']?.schema.properties.data.properties ?? {}

const exampleOf = ({ requestBody }: Post) => requestBody.content['application/json']?.example
