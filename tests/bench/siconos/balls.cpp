/* Bouncing balls by Siconos: event-driven (LsodarOSI) and time-stepping (MoreauJeanOSI). Prints for each tolerance or
 * step `method tolerance seconds state...`; tests/bench/siconos/run compares them with ours. */
#include <SiconosKernel.hpp>

#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

struct problem { bool two; double e, T; };      /* one ball from 0.8 m, or two on a spring (FESD-J 5.1) */

static SP::NonSmoothDynamicalSystem build(const problem &p, SP::LagrangianLinearTIDS *out)
{
    const unsigned n = p.two ? 2 : 1;
    SP::SiconosVector q(new SiconosVector(n)), v(new SiconosVector(n)), weight(new SiconosVector(n));
    SP::SimpleMatrix M(new SimpleMatrix(n, n)), K(new SimpleMatrix(n, n)), C(new SimpleMatrix(n, n));
    SP::SimpleMatrix H(new SimpleMatrix(1, n));
    SP::SiconosVector b(new SiconosVector(1));
    M->eye();
    for (unsigned i = 0; i < n; i++)
        (*weight)(i) = -9.81;
    (*H)(0, 0) = 1;
    (*q)(0) = p.two ? 1 : 0.8;
    if (p.two) {                                                /* k (q2 - q1 - 1) */
        (*q)(1) = 2;
        (*K)(0, 0) = (*K)(1, 1) = 1e4;
        (*K)(0, 1) = (*K)(1, 0) = -1e4;
        (*weight)(0) -= 1e4;
        (*weight)(1) += 1e4;
        (*b)(0) = -0.2;
    }
    SP::LagrangianLinearTIDS ds(p.two ? new LagrangianLinearTIDS(q, v, M, K, C) : new LagrangianLinearTIDS(q, v, M));
    ds->setFExtPtr(weight);
    SP::NonSmoothDynamicalSystem nsds(new NonSmoothDynamicalSystem(0, p.T));
    SP::Interaction inter(new Interaction(SP::NonSmoothLaw(new NewtonImpactNSL(p.e)),
                                          SP::Relation(new LagrangianLinearTIR(H, b))));
    nsds->insertDynamicalSystem(ds);
    nsds->link(inter, ds);
    *out = ds;
    return nsds;
}

static void report(const char *method, double tol, double seconds, const problem &p, SP::LagrangianLinearTIDS ds)
{
    std::printf("%s %g %.9f", method, tol, seconds);
    for (unsigned i = 0; i < (p.two ? 2u : 1u); i++)
        std::printf(" %.17g", (*ds->q())(i));
    for (unsigned i = 0; i < (p.two ? 2u : 1u); i++)
        std::printf(" %.17g", (*ds->velocity())(i));
    std::printf("\n");
}

static void by_events(const problem &p, double tol)
{
    const auto start = std::chrono::steady_clock::now();
    SP::LagrangianLinearTIDS ds;
    SP::NonSmoothDynamicalSystem nsds = build(p, &ds);
    SP::EventDriven s(new EventDriven(nsds, SP::TimeDiscretisation(new TimeDiscretisation(0, p.T / 100))));
    std::shared_ptr<LsodarOSI> osi(new LsodarOSI());
    s->insertIntegrator(osi);
    s->insertNonSmoothProblem(SP::OneStepNSProblem(new LCP()), SICONOS_OSNSP_ED_IMPACT);
    s->insertNonSmoothProblem(SP::OneStepNSProblem(new LCP()), SICONOS_OSNSP_ED_SMOOTH_ACC);
    s->setTolerance(tol);
    s->initialize();
    osi->setTol(1, tol, 1e-2 * tol);
    osi->setMaxNstep(100000);
    while (s->hasNextEvent()) {
        s->advanceToEvent();
        s->processEvents();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    report("lsodar", tol, took.count(), p, ds);
}

static void by_steps(const problem &p, int n)
{
    const auto start = std::chrono::steady_clock::now();
    SP::LagrangianLinearTIDS ds;
    SP::NonSmoothDynamicalSystem nsds = build(p, &ds);
    SP::TimeStepping s(new TimeStepping(nsds, SP::TimeDiscretisation(new TimeDiscretisation(0, p.T / n)),
                                        SP::OneStepIntegrator(new MoreauJeanOSI(0.5)), SP::OneStepNSProblem(new LCP())));
    for (int k = 0; k < n; k++) {
        s->computeOneStep();
        s->nextStep();
    }
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
    report("moreau-jean", p.T / n, took.count(), p, ds);
}

int main(int argc, char **argv)
{
    const problem p = argc > 1 && std::strcmp(argv[1], "two_balls") == 0 ? problem{true, 0.8, 1} : problem{false, 1, 3};
    for (double tol : {1e-6, 1e-8, 1e-10, 1e-12})
        by_events(p, tol);
    for (int n : {1000, 10000, 100000})
        by_steps(p, n);
    return EXIT_SUCCESS;
}
