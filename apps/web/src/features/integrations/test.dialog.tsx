import type { Integration } from '@balcao/contract/integrations.ts'
import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../platform/errors.text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { integrationTest } from './integrations.api.ts'
import { useIntegrationText } from './integrations.text.ts'
import { ModelFailureWords } from './model-failure.tsx'

/** Calls the address while it is open, and shows the result. */
export function TestDialog({ integration, onClose }: { integration: Integration; onClose(): void }) {
  const t = useIntegrationText()
  const { data, error } = useQuery(integrationTest(integration.id))
  return (
    <Dialog title={t('test', { name: integration.name })} onClose={onClose}>
      <div role="status">
        {error && <p>{errorText(error)}</p>}
        {!data && !error && <p>{t('testing')}</p>}
        {data?.failure && (
          <p>
            <ModelFailureWords failure={data.failure} detail={data.detail} />
          </p>
        )}
        {data && !data.failure && (
          <>
            <p>{t('answers', { ms: data.ms })}</p>
            <p>{t('models', { count: data.models.length })}</p>
            <ul>
              {data.models.map(({ id }) => (
                <li key={id}>{id}</li>
              ))}
            </ul>
          </>
        )}
      </div>
    </Dialog>
  )
}
