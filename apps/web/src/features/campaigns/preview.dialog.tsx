import { useQuery } from '@tanstack/react-query'
import { errorText } from '../../platform/errors.text.ts'
import { Dialog } from '../../ui/dialog.tsx'
import { Late } from '../../ui/late.tsx'
import { campaignPreview } from './campaigns.api.ts'
import classes from './campaigns.module.css'
import { useManagerText } from './campaigns.running.text.ts'
import { useCampaignText } from './campaigns.text.ts'

/** What the next people of the list would get, with their own names in it. */
export function PreviewDialog({ campaignId, onClose }: { campaignId: number; onClose(): void }) {
  const t = useManagerText()
  const { data: previews, error } = useQuery(campaignPreview(campaignId))
  return (
    <Dialog title={t('previewTitle')} size={620} onClose={onClose}>
      {error && <p role="alert">{errorText(error)}</p>}
      {!previews && !error && (
        <Late>
          <p role="status">{useCampaignText.read('loading')}</p>
        </Late>
      )}
      {previews?.length === 0 && <p>{t('previewNone')}</p>}
      <div className={classes.previews}>
        {previews?.map(({ dispatchId, name, number, greeting, message, buttons, missing }) => (
          <article key={dispatchId} aria-label={name || number}>
            <strong>{name || number}</strong> {name && <span className={classes.hint}>{number}</span>}
            {greeting && <p className={classes.bubble}>{greeting}</p>}
            <p className={classes.bubble}>{[message, ...buttons.map(button => `▢ ${button}`)].join('\n')}</p>
            {missing.length > 0 && (
              <span className={classes.note} data-failed>
                {t('missing', { names: missing.join(', ') })}
              </span>
            )}
          </article>
        ))}
      </div>
    </Dialog>
  )
}
