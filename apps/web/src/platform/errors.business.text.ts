/** Errors of plans, payments, the platform and the registers of companies and addresses: loaded with the first of them. */
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
  ERR_PAYMENT_SPENT: [
    'Deste pagamento não resta nada: já foi usado ou devolvido.',
    'Nothing of this payment is left: it was used or given back.',
    'De este pago no queda nada: ya fue usado o devuelto.',
  ],
  ERR_PAYMENT_UNKNOWN: [
    'Diga primeiro de qual empresa é este pagamento.',
    'State first which company this payment is of.',
    'Indique primero de qué empresa es este pago.',
  ],
  ERR_COLLECTOR_UNSET: [
    'Informe primeiro as credenciais deste provedor.',
    'Enter the credentials of this provider first.',
    'Indique primero las credenciales de este proveedor.',
  ],
  ERR_PAYMENT_COMPANY: [
    'A fatura é de outra empresa.',
    'The invoice is of another company.',
    'La factura es de otra empresa.',
  ],
  ERR_PLAN_SAME: [
    'A empresa já tem este plano com este período de pagamento.',
    'The company has this plan with this billing period already.',
    'La empresa ya tiene este plan con este período de pago.',
  ],
  ERR_PRICE_CHANGED: [
    'O valor mudou enquanto você escolhia. Confira e confirme de novo.',
    'The price changed while you were choosing. Check it and confirm again.',
    'El valor cambió mientras elegía. Revise y confirme de nuevo.',
  ],
  ERR_SUBSCRIPTION_ENDED: [
    'A assinatura foi encerrada. Continue com ela antes de mudar de plano.',
    'The subscription was ended. Go on with it before you change the plan.',
    'La suscripción fue terminada. Continúe con ella antes de cambiar de plan.',
  ],
  ERR_OUTSIDE_LOGIN_HOURS: [
    'Agora está fora do seu horário de acesso. Volte no seu horário ou fale com um administrador.',
    'It is outside the hours in which you may log in. Come back within them, or talk to an administrator.',
    'Ahora está fuera de su horario de acceso. Vuelva en su horario o hable con un administrador.',
  ],
  ERR_USER_RESTING: [
    'Este usuário está em repouso: a empresa tem mais usuários que o plano. Fale com um administrador.',
    'This user rests: the company has more users than its plan. Talk to an administrator.',
    'Este usuario está en reposo: la empresa tiene más usuarios que el plan. Hable con un administrador.',
  ],
  ERR_AUTOPAY_OFF: [
    'O pagamento automático não está disponível agora. Pague pelo link da fatura.',
    'Automatic payment is not available at the moment. Pay by the link of the invoice.',
    'El pago automático no está disponible ahora. Pague con el enlace de la factura.',
  ],
  ERR_COUPON_OVER: [
    'Este cupom não existe ou não vale mais.',
    'This coupon does not exist, or is not valid any more.',
    'Este cupón no existe o ya no es válido.',
  ],
  ERR_TRIAL_USED: [
    'Este CPF ou CNPJ já teve um teste grátis. Entre com a conta que já existe, ou fale conosco para contratar.',
    'This CPF or CNPJ has had a free trial. Log in to the account that exists, or talk to us to take a plan.',
    'Este CPF o CNPJ ya tuvo una prueba gratis. Entre con la cuenta que ya existe, o hable con nosotros para contratar.',
  ],
  ERR_TERMS_OPEN: [
    'Aceite os termos de uso, na versão atual, para continuar.',
    'Accept the terms of use, in their current version, to go on.',
    'Acepte los términos de uso, en su versión actual, para continuar.',
  ],
  ERR_PLAN_UNPRICED: [
    'Este plano não tem preço para esse período de pagamento.',
    'This plan has no price for that billing period.',
    'Este plan no tiene precio para ese período de pago.',
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
  ERR_INVOICE_CANCELLED: [
    'Esta fatura foi cancelada.',
    'This invoice was cancelled.',
    'Esta factura fue cancelada.',
  ],
  ERR_PAYMENT_OF_PROVIDER: [
    'Esta fatura não foi paga manualmente: um pagamento do provedor se devolve, um crédito se retira em Recebimentos.',
    'This invoice was not paid by hand: refund the payment of the provider, or take the credit back, under Receipts.',
    'Esta factura no se pagó manualmente: un pago del proveedor se devuelve, un crédito se retira en Cobros.',
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
  ERR_NO_CNPJ_FOUND: ['Este CNPJ não foi encontrado', 'This CNPJ was not found', 'No se encontró este CNPJ'],
  ERR_NO_CNPJ_SERVICE: [
    'A busca de CNPJ não está configurada nesta instalação (CNPJ_URL)',
    'The CNPJ search is not set up in this installation (CNPJ_URL)',
    'La búsqueda de CNPJ no está configurada en esta instalación (CNPJ_URL)',
  ],
  ERR_CNPJ_SEARCH: [
    'A busca de CNPJ não respondeu. Preencha os dados',
    'The CNPJ search did not answer. Fill in the fields',
    'La búsqueda de CNPJ no respondió. Complete los datos',
  ],
  ERR_NO_POSTAL_CODE_FOUND: [
    'Este CEP não foi encontrado',
    'This postal code was not found',
    'No se encontró este código postal',
  ],
  ERR_NO_POSTAL_CODE_SERVICE: [
    'A busca de CEP não está configurada nesta instalação (CEP_URL)',
    'The postal code search is not set up in this installation (CEP_URL)',
    'La búsqueda de códigos postales no está configurada en esta instalación (CEP_URL)',
  ],
  ERR_POSTAL_CODE_SEARCH: [
    'A busca de CEP não respondeu. Preencha o endereço',
    'The postal code search did not answer. Fill in the address',
    'La búsqueda de códigos postales no respondió. Complete la dirección',
  ],
} as const
