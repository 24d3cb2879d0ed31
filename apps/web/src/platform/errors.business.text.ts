/** Errors of running the platform, and of plan limits. */
export const businessErrors = {
  ERR_NO_COMPANY_FOUND: [
    'Nenhuma empresa encontrada com este ID',
    'No company found with this id',
    'Ninguna empresa encontrada con este ID',
  ],
  ERR_NO_PLAN_FOUND: [
    'Este plano não existe ou não é mais oferecido',
    'This plan does not exist or is not offered any more',
    'Este plan no existe o ya no se ofrece',
  ],
  ERR_NO_LEAD_FOUND: [
    'Este link não vale mais: comece de novo na loja',
    'This link is no longer good: begin again in the store',
    'Este enlace ya no es válido: empiece de nuevo en la tienda',
  ],
  ERR_LEAD_COMPLETED: [
    'Este cadastro já foi concluído: entre com o seu e-mail',
    'This sign-up has been completed already: log in with your e-mail',
    'Este registro ya se completó: entre con su correo',
  ],
  ERR_COMPANY_HAS_PLAN: [
    'Esta empresa já tem um plano: altere os valores dele',
    'This company has a plan already: change its values',
    'Esta empresa ya tiene un plan: cambie sus valores',
  ],
  ERR_OWN_COMPANY: [
    'A sua própria empresa não pode ser desativada nem excluída',
    'Your own company can be neither switched off nor deleted',
    'Su propia empresa no se puede desactivar ni eliminar',
  ],
  ERR_PLAN_INVOICED: [
    'O plano tem faturas e não pode ser excluído',
    'The plan has invoices and cannot be deleted',
    'El plan tiene facturas y no se puede eliminar',
  ],
  ERR_INVOICE_PLAN: [
    'Só o plano de uma empresa tem faturas',
    'Only the plan of a company has invoices',
    'Solo el plan de una empresa tiene facturas',
  ],
  ERR_INVOICE_NOT_PENDING: [
    'Só uma fatura pendente pode ser excluída',
    'Only a pending invoice can be deleted',
    'Solo se puede eliminar una factura pendiente',
  ],
  ERR_PLAN_STANDARD: [
    'Este é o plano das empresas novas: escolha outro para elas antes',
    'New companies get this plan: choose another one for them first',
    'Este es el plan de las empresas nuevas: elija otro para ellas antes',
  ],
  ERR_NO_COMPANY_PLAN: [
    'Esta empresa não tem um plano',
    'This company has no plan',
    'Esta empresa no tiene un plan',
  ],
  ERR_COMPANY_SUSPENDED: [
    'Atendimento suspenso por falta de pagamento: nada sai até a fatura vencida ser paga',
    'Service suspended for lack of payment: nothing leaves until the overdue invoice is paid',
    'Atención suspendida por falta de pago: nada sale hasta que se pague la factura vencida',
  ],
  ERR_VISIT_CLOSED: [
    'Numa visita só se lê, e isto não está aberto a visitas',
    'A visit only reads, and this is not open to visits',
    'En una visita solo se lee, y esto no está abierto a visitas',
  ],
  ERR_NOT_IN_PLAN: [
    'O plano da empresa não inclui este recurso',
    'The company’s plan does not include this',
    'El plan de la empresa no incluye esta función',
  ],
} as const
