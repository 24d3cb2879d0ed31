import {
  firstTemplate,
  noticeHtml,
  noticeText,
  valuesOfNotice,
} from '@balcao/contract/billingNotices.rules.ts'
import type { NotificationTemplateInput } from '@balcao/contract/billingNotices.ts'
import classes from './billingNotices.module.css'
import { useTemplateText } from './billingNotices.templates.text.ts'
import { Html } from './letter-frame.tsx'

const sample = valuesOfNotice(
  'invoiceCreated',
  'Maria Souza',
  {
    startInvoicePeriod: '2026-12-01',
    endInvoicePeriod: '2026-12-31',
    dueDate: '2026-12-01',
    valueBrl: 'R$ 99,90',
  },
  {
    notificationWppUrl: `${location.origin}/n/wpp/…`,
    notificationEmailUrl: `${location.origin}/n/email/…`,
  },
)

/** A template rendered with sample data; an empty one is sent with the product's default text. */
export function TemplatePreview({ template }: { template: NotificationTemplateInput }) {
  const t = useTemplateText()
  const { textWp, emailTitle, emailHtml, thumbnailWpHtml } = firstTemplate
  return (
    <section aria-label={t('preview')} className={classes.shown}>
      <div>
        <p className={classes.label}>{t('textWp')}</p>
        <div className={classes.bubble}>{noticeText(template.textWp || textWp, sample)}</div>
      </div>
      <div>
        <p className={classes.label}>{noticeText(template.emailTitle || emailTitle, sample)}</p>
        <Html title={t('emailHtml')} html={noticeHtml(template.emailHtml || emailHtml, sample)} />
      </div>
      <div>
        <p className={classes.label}>{t('thumbnailWpHtml')}</p>
        <Html
          title={t('thumbnailWpHtml')}
          html={noticeHtml(template.thumbnailWpHtml || thumbnailWpHtml, sample)}
        />
      </div>
    </section>
  )
}
