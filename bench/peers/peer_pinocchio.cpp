// A chain of uniform rods in Pinocchio, by its headers alone and so compiled for this processor.
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/crba.hpp>
#include <pinocchio/multibody.hpp>

#include <string>

#include "chain_peer.h"

namespace pin = pinocchio;
typedef pin::ModelTpl<double> Model;
typedef pin::DataTpl<double> Data;
static const char *const TOOL = "Pinocchio", *const REMARK = "C++ headers, -O3 -march=native";

static Model rods(int n) {
  Model model;
  model.gravity.linear() << 0, -9.81, 0;
  pin::JointIndex parent = 0;
  for (int i = 0; i < n; i++) {
    double m = (101 + i) * 0.01, inertia = m / 12;
    pin::SE3 at(Eigen::Matrix3d::Identity(), Eigen::Vector3d(0, i == 0 ? 0 : -1, 0));
    parent = model.addJoint(parent,
                            pin::JointModelTpl<double>(pin::JointModelRevoluteTpl<double, 0, 2>()),
                            at, "j" + std::to_string(i));
    Eigen::Matrix3d about = Eigen::Vector3d(inertia, 0, inertia).asDiagonal();
    model.appendBodyToJoint(parent, pin::Inertia(m, Eigen::Vector3d(0, -0.5, 0), about));
  }
  return model;
}

struct Chain {
  Rods rods_at;
  Model model;
  Data data;
  Eigen::VectorXd q, v, tau;
  explicit Chain(int n)
      : rods_at(n), model(rods(n)), data(model), q(n), v(n), tau(Eigen::VectorXd::Zero(n)) {
    for (int i = 0; i < n; i++)
      q[i] = rods_at.relative(rods_at.q, i), v[i] = rods_at.relative(rods_at.qd, i);
  }
};

// The mass matrix of relative angles against that of absolute ones: M_abs = A^T M_rel A.
static double mass_error(Chain &c) {
  int n = c.rods_at.n;
  Eigen::MatrixXd M = c.data.M.selfadjointView<Eigen::Upper>(), S = Eigen::MatrixXd::Identity(n, n);
  for (int i = 1; i < n; i++) S(i, i - 1) = -1;
  M = S.transpose() * M * S;
  double worst = 0;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++) {
      double expected = c.rods_at.chain.A[i][j] * std::cos(c.rods_at.q[i] - c.rods_at.q[j]);
      worst = std::max(worst, std::fabs(M(i, j) - expected) / (1 + std::fabs(expected)));
    }
  return worst;
}

// The slopes against differences of the accelerations.
static double slope_error(Chain &c) {
  int n = c.rods_at.n;
  double worst = 0, h = 1e-6;
  Data data(c.model);
  for (int j = 0; j < n; j++) {
    Eigen::VectorXd plus = c.q, minus = c.q;
    plus[j] += h, minus[j] -= h;
    Eigen::VectorXd a = pin::aba(c.model, data, plus, c.v, c.tau);
    Eigen::VectorXd b = pin::aba(c.model, data, minus, c.v, c.tau);
    for (int i = 0; i < n; i++) {
      double expected = (a[i] - b[i]) / (2 * h);
      worst =
          std::max(worst, std::fabs(c.data.ddq_dq(i, j) - expected) / (1 + std::fabs(expected)));
    }
  }
  return worst;
}

int main() {
  for (int n : chain_links) {
    Chain c(n);
    auto work = [&] { pin::aba(c.model, c.data, c.q, c.v, c.tau); };
    work();
    put_rhs(TOOL, n, work, c.rods_at.error(c.data.ddq), REMARK);
  }
  double first = seconds_of([] {
    Chain c(10);
    pin::aba(c.model, c.data, c.q, c.v, c.tau);
  });
  measure_row(TOOL, "first/10", first, NAN, "a program in C++, compiled before");
  for (int n : {10, 100}) {
    Chain c(n);
    auto mass = [&] { pin::crba(c.model, c.data, c.q); };
    mass();
    double error = mass_error(c);
    put_row(TOOL, "mass", n, seconds_of(mass, 1000 / n), error, REMARK);
  }
  Chain c(10);
  auto slopes = [&] { pin::computeABADerivatives(c.model, c.data, c.q, c.v, c.tau); };
  slopes();
  double error = slope_error(c);
  measure_row(TOOL, "slopes/10", seconds_of(slopes, 100), error,
              "by state; error against differences");
  measure_row(TOOL, "parameters/10", NAN, NAN, "no derivatives by lengths");
  measure_row(TOOL, "fourbar", NAN, NAN, "its loops need an integrator of one's own");
  return 0;
}
