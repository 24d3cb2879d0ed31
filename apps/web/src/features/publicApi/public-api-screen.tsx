import { Button, NativeSelect } from '@mantine/core'
import { IconKey, IconWebhook } from '@tabler/icons-react'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { Link } from 'react-router'
import { useMay } from '../../platform/session.tsx'
import { Page } from '../../ui/page.tsx'
import { PasswordField } from '../../ui/password-field.tsx'
import { CallCard } from './call-card.tsx'
import { apiDescription, callsOf, fitsHeader } from './publicApi.api.ts'
import { usePublicApiMenuText } from './publicApi.menu.text.ts'
import classes from './publicApi.module.css'
import { sampleDescription } from './publicApi.sample.ts'
import { usePublicApiText } from './publicApi.text.ts'
import { WebhookCards } from './webhook-cards.tsx'

/** The public API: to be read and tried. Nothing is loaded from outside. */
export default function PublicApiScreen() {
  const t = usePublicApiText()
  const { data, isError, refetch } = useQuery(apiDescription)
  const [token, setToken] = useState('')
  const [isSample, setSample] = useState(false)
  const shown = isSample ? sampleDescription : data
  return (
    <Page
      title={usePublicApiMenuText()('api')}
      actions={
        <>
          {useMay('administration') && (
            <Button component={Link} to="/webhooks" variant="default" leftSection={<IconWebhook size={16} />}>
              {t('webhooks')}
            </Button>
          )}
          <Button component={Link} to="/apisendmessage" variant="default" leftSection={<IconKey size={16} />}>
            {t('tokens')}
          </Button>
        </>
      }
    >
      <div className={classes.column}>
        <p className={classes.intro}>{t('intro')}</p>
        <div className={classes.choices}>
          <PasswordField
            label={t('token')}
            description={t('tokenHint')}
            inputWrapperOrder={['label', 'input', 'description', 'error']}
            autoComplete="off"
            spellCheck={false}
            maxLength={100}
            value={token}
            error={!fitsHeader(token) && t('plainOnly')}
            onChange={event => setToken(event.currentTarget.value)}
          />
          <NativeSelect
            label={t('document')}
            data={[
              { value: 'own', label: t('own') },
              { value: 'sample', label: t('sample') },
            ]}
            value={isSample ? 'sample' : 'own'}
            onChange={event => setSample(event.currentTarget.value === 'sample')}
          />
        </div>
        {isError && !shown && (
          <div role="alert">
            <p>{t('failed')}</p>
            <Button variant="default" onClick={() => void refetch()}>
              {t('again')}
            </Button>
          </div>
        )}
        {!isError && !shown && <p role="status">{t('loading')}</p>}
        {shown &&
          callsOf(shown).map(one => (
            <CallCard
              key={`${one.method} ${one.path}`}
              call={one}
              token={token}
              opened={one.path.endsWith('/text')}
              tried={!isSample}
            />
          ))}
        {shown?.webhooks && <WebhookCards webhooks={shown.webhooks} />}
        {data && !isSample && <Download description={data} />}
      </div>
    </Page>
  )
}

/** The description for other programs, such as a client that is made from it. */
function Download({ description }: { description: object }) {
  const t = usePublicApiText()
  const save = () => {
    const address = URL.createObjectURL(
      new Blob([JSON.stringify(description, null, 2)], { type: 'application/json' }),
    )
    Object.assign(document.createElement('a'), { href: address, download: 'openapi.json' }).click()
    URL.revokeObjectURL(address)
  }
  return (
    <div>
      <Button variant="subtle" onClick={save}>
        {t('download')}
      </Button>
    </div>
  )
}
